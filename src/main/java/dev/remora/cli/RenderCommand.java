package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.ManifestPrinter;
import dev.remora.render.PluginHost;
import dev.remora.telemetry.Phases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/// `remora render`: manifests on standard out, all else on standard error.
final class RenderCommand {
    private static final String REPORT_SCHEMA = "remora/render/v1";

    private final SettingValues settings;
    private final Console console;
    private final FolderWork work;
    private final Phases phases = new Phases();
    private final long start = System.nanoTime();

    private RenderCommand(SettingValues settings, Console console, FolderWork work) {
        this.settings = settings;
        this.console = console;
        this.work = work;
    }

    static int run(SettingValues settings, List<String> words, Console console) {
        if (words.isEmpty()) {
            if (settings.on(FolderSettings.COMPARE_HOSTS)) {
                throw new Fault(
                        FaultCode.USAGE, "--compare-hosts compares on a FOLDER: remora render FOLDER --plugin …");
            }
            return RenderApplications.run(settings, console);
        }
        if (!settings.list(ApplicationSettings.FILENAME).isEmpty()) {
            throw new Fault(
                    FaultCode.USAGE, "-f renders Applications, FOLDER a bare folder: give one of both, not both");
        }
        if (settings.on(ApplicationSettings.WATCH)) {
            throw new Fault(FaultCode.USAGE, "--watch watches Applications: render -f … --watch");
        }
        return FolderWork.run(settings, words.getFirst(), console, work -> {
            RenderCommand command = new RenderCommand(settings, console, work);
            return settings.on(FolderSettings.COMPARE_HOSTS)
                    ? HostComparison.run(work, settings, console)
                    : command.render();
        });
    }

    private int render() {
        Optional<Path> report = RunReport.file(settings, console);
        PluginReference plugin = work.plugin();
        Optional<KeptRender> kept = settings.present(FolderSettings.KEEP)
                ? Optional.of(KeptRender.make(settings.text(FolderSettings.KEEP), plugin, console.directory()))
                : Optional.empty();
        try (PluginHost host = work.host(plugin, kept.map(KeptRender::folder))) {
            List<ManifestDocument> documents = documents(host);
            print(documents);
            tell(summary(host, documents));
            report.ifPresent(file -> writeReport(file, host, documents, kept));
        } finally {
            if (settings.on(FolderSettings.TIMINGS)) {
                tell(timings());
            }
            kept.ifPresent(one -> tell(one.sentence()));
        }
        return ExitCode.DONE;
    }

    private List<ManifestDocument> documents(PluginHost host) {
        String label = work.options().name() + "  " + host.name();
        return Progress.during(console, settings, label, () -> host.generate(work.request(), phases));
    }

    private void print(List<ManifestDocument> documents) {
        boolean mask = settings.on(FolderSettings.MASK)
                || (console.outIsTerminal() && !settings.on(FolderSettings.SHOW_SECRETS));
        console.out()
                .print(
                        switch (settings.text(FolderSettings.RENDER_OUTPUT)) {
                            case "json" -> ManifestPrinter.json(documents, mask);
                            case "name" -> ManifestPrinter.name(documents);
                            case "wide" -> ManifestPrinter.wide(documents);
                            default -> ManifestPrinter.yaml(documents, mask);
                        });
        console.out().flush();
    }

    private String summary(PluginHost host, List<ManifestDocument> documents) {
        int objects = objects(documents);
        return work.options().name() + ": " + objects + (objects == 1 ? " object, " : " objects, ") + host.name() + ", "
                + seconds(elapsed()) + "s";
    }

    private static int objects(List<ManifestDocument> documents) {
        return documents.stream().mapToInt(ManifestDocument::objects).sum();
    }

    /// `pack 0.1  init 1.2  generate 3.0  check 0.0  budget left 55.3s`
    private String timings() {
        StringJoiner text = new StringJoiner("  ");
        phases.took().forEach((phase, time) -> text.add(phase.word() + " " + seconds(time)));
        Duration timeout = work.options().timeout();
        if (!timeout.isZero()) {
            text.add("budget left " + seconds(timeout.minus(elapsed())) + "s");
        }
        return text.toString();
    }

    private void tell(String line) {
        if (!settings.on(CommonSettings.QUIET)) {
            console.err().println(line);
        }
    }

    private void writeReport(Path file, PluginHost host, List<ManifestDocument> documents, Optional<KeptRender> kept) {
        Map<String, Object> timings = new LinkedHashMap<>();
        phases.took().forEach((phase, time) -> timings.put(phase.word(), time.toMillis() / 1000.0));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", REPORT_SCHEMA);
        json.put("app", work.options().name());
        json.put("plugin", host.name());
        json.put("objects", objects(documents));
        json.put("names", ManifestPrinter.name(documents).lines().toList());
        json.put("seconds", elapsed().toMillis() / 1000.0);
        json.put("timings", timings);
        kept.ifPresent(one -> json.put("kept", one.folder().toString()));
        try {
            Files.writeString(file, JsonDocument.write(json));
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "--report: cannot write " + file + ": " + Fault.words(e), e);
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toMillis() / 1000.0);
    }
}

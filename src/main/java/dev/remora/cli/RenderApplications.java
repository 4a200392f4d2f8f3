package dev.remora.cli;

import dev.remora.application.Application;
import dev.remora.application.ApplicationDocuments.Found;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.render.Renderer;
import dev.remora.telemetry.Phases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/// `remora render -f …`: Applications to manifests, many at once, in the order in which they were found.
final class RenderApplications {
    private static final int MOST_NAMED = 20;

    private final SettingValues settings;
    private final Console console;
    private final ApplicationWork work;
    private final long start = System.nanoTime();
    private final List<RenderOutcome.Failed> failed = new ArrayList<>();
    private final RunReport report = new RunReport();

    RenderApplications(SettingValues settings, Console console, ApplicationWork work) {
        this.settings = settings;
        this.console = console;
        this.work = work;
    }

    static int run(SettingValues settings, Console console) {
        if (settings.on(ApplicationSettings.WATCH)) {
            return RenderWatch.run(settings, console);
        }
        return ApplicationWork.run(
                settings, console, work -> new RenderApplications(settings, console, work).render(RenderResults::open));
    }

    /// @param where gives the place of the results
    int render(RenderResults.Opening where) {
        List<Found> chosen = work.chosen();
        work.selection().notes().forEach(note -> tell("note: " + note));
        boolean several = chosen.size() > 1;
        twice(names(chosen)).forEach(name -> tell("warning: there are two Applications " + name + "; Argo CD has one"));
        if (several
                && !work.selection().narrowed()
                && settings.optional(ApplicationSettings.OUTPUT_DIR).isEmpty()) {
            return list(chosen);
        }
        Optional<Path> file = RunReport.file(settings, console);
        Optional<KeptRender> kept = kept(several);
        RenderResults results =
                where.open(settings, console, names(chosen), work.selection().complete());
        RunProgress progress = new RunProgress(chosen.size());
        Renderer renderer = work.renderer(kept.map(KeptRender::folder));
        try {
            Progress.during(console, settings, progress::line, () -> {
                new OrderedWork(ApplicationWork.concurrency(settings))
                        .run(
                                IntStream.range(0, chosen.size()).boxed().toList(),
                                i -> outcome(i, chosen, renderer, progress),
                                outcome -> handOver(outcome, results, several));
                return results;
            });
        } finally {
            kept.ifPresent(one -> tell(one.sentence()));
            file.ifPresent(path -> report.write(path, elapsed()));
        }
        results.finish();
        return end(several, chosen.size());
    }

    private Optional<KeptRender> kept(boolean several) {
        if (!settings.present(FolderSettings.KEEP)) {
            return Optional.empty();
        }
        if (several) {
            throw new Fault(FaultCode.USAGE, "--keep keeps the work folder of one Application; choose it with --app");
        }
        return Optional.of(KeptRender.make(settings.text(FolderSettings.KEEP), console.directory()));
    }

    private List<String> names(List<Found> chosen) {
        return chosen.stream().map(this::name).toList();
    }

    private String name(Found found) {
        return found instanceof Found.Valid(Application application)
                ? application.instanceName(work.controlPlane())
                : found.name().isEmpty() ? found.where().toString() : found.name();
    }

    /// Several and none was asked for: which one is meant?
    private int list(List<Found> chosen) {
        console.err()
                .println(chosen.size() + " Applications were found; choose with --app, -f or -l, or write all with"
                        + " --output-dir:");
        chosen.forEach(found ->
                console.err().println("  " + name(found) + "  " + found.where().file()));
        return ExitCode.USAGE;
    }

    private RenderOutcome outcome(int position, List<Found> chosen, Renderer renderer, RunProgress progress) {
        Found found = chosen.get(position);
        String name = name(found);
        Phases phases = new Phases();
        long begun = System.nanoTime();
        progress.begins(position, name, phases);
        RenderOutcome outcome = switch (found) {
            case Found.Broken broken ->
                new RenderOutcome.Failed(position, name, found, Duration.ZERO, phases, broken.fault());
            case Found.Valid(Application application) -> {
                try {
                    var rendered = renderer.render(application, work.cancellation(), phases);
                    yield new RenderOutcome.Rendered(position, name, found, since(begun), phases, rendered);
                } catch (Fault fault) {
                    Fault shown = work.masked(fault, application);
                    yield new RenderOutcome.Failed(position, name, found, since(begun), phases, shown);
                }
            }
        };
        progress.ends(outcome);
        return outcome;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private Duration elapsed() {
        return since(start);
    }

    /// On the command's own thread, in order.
    private boolean handOver(RenderOutcome outcome, RenderResults results, boolean several) {
        report.add(outcome);
        switch (outcome) {
            case RenderOutcome.Rendered rendered -> {
                if (rendered.found() instanceof Found.Valid(Application application)) {
                    work.notes(application).forEach(note -> tell("warning: " + rendered.name() + ": " + note));
                }
                rendered.application()
                        .warnings()
                        .forEach(warning -> tell("warning: " + rendered.name() + ": " + warning));
                results.add(rendered);
                tell(rendered.summary());
            }
            case RenderOutcome.Failed one -> {
                failed.add(one);
                results.add(one);
                if (several) {
                    console.err().print(FaultReport.text(one.fault().in(one.name() + ": ")));
                }
            }
        }
        if (settings.on(FolderSettings.TIMINGS)) {
            tell((several ? outcome.name() + ": " : "")
                    + outcome.timings(work.options().timeout()));
        }
        return failed.isEmpty() || !settings.on(ApplicationSettings.FAIL_FAST);
    }

    private int end(boolean several, int all) {
        if (failed.isEmpty()) {
            return ExitCode.DONE;
        }
        if (!several) {
            throw failed.getFirst().fault().about(failed.getFirst().name());
        }
        StringJoiner names = new StringJoiner(", ");
        failed.stream()
                .limit(MOST_NAMED)
                .forEach(one -> names.add(one.name() + " (" + one.fault().code().id() + ")"));
        console.err()
                .println(failed.size() + " of " + all + " failed: " + names
                        + (failed.size() > MOST_NAMED ? " and " + (failed.size() - MOST_NAMED) + " more" : ""));
        return failed.stream().mapToInt(one -> ExitCode.of(one.fault())).max().orElse(ExitCode.DONE);
    }

    private void tell(String line) {
        if (!settings.on(CommonSettings.QUIET)) {
            console.err().println(line);
        }
    }

    /// Names that come twice would be one Application in Argo CD.
    static Set<String> twice(List<String> names) {
        Set<String> seen = new HashSet<>();
        Set<String> twice = new HashSet<>();
        names.stream().filter(name -> !seen.add(name)).forEach(twice::add);
        return twice;
    }
}

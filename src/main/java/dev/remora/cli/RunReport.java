package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.git.CommitId;
import dev.remora.posix.Bytes;
import dev.remora.render.RenderedSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `--report json=FILE` of a run over Applications.
final class RunReport {
    static final String SCHEMA = "remora/render/v1";

    private final List<Map<String, Object>> applications = new ArrayList<>();

    void add(RenderOutcome outcome) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("app", outcome.name());
        json.put("file", outcome.found().where().toString());
        switch (outcome) {
            case RenderOutcome.Rendered rendered -> rendered(rendered, json);
            case RenderOutcome.Failed failed -> json.put("fault", FaultReport.json(failed.fault(), Optional.empty()));
        }
        json.put("seconds", seconds(outcome.took()));
        Map<String, Object> timings = new LinkedHashMap<>();
        outcome.phases().took().forEach((phase, time) -> timings.put(phase.word(), seconds(time)));
        json.put("timings", timings);
        applications.add(json);
    }

    private static void rendered(RenderOutcome.Rendered rendered, Map<String, Object> json) {
        json.put("plugins", rendered.by());
        json.put("objects", rendered.application().objects().size());
        json.put("dirty", rendered.changedFiles() > 0);
        rendered.age().ifPresent(age -> json.put("cachedSeconds", seconds(age)));
        json.put(
                "sources",
                rendered.application().sources().stream().map(RunReport::source).toList());
        json.put("warnings", rendered.application().warnings());
    }

    private static Map<String, Object> source(RenderedSource source) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("repoURL", source.effective().source().repoUrl());
        json.put("path", source.effective().source().path());
        json.put("targetRevision", source.effective().source().targetRevision());
        json.put("revision", source.revision());
        source.resolution().commit().map(CommitId::hex).ifPresent(commit -> json.put("commit", commit));
        json.put("by", source.by());
        source.age().ifPresent(age -> json.put("cachedSeconds", seconds(age)));
        json.put("changedFiles", source.changed().stream().map(Bytes::toString).toList());
        return json;
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }

    void write(Path file, Duration took) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", SCHEMA);
        json.put("applications", applications);
        json.put(
                "failed",
                applications.stream().filter(one -> one.containsKey("fault")).count());
        json.put("seconds", seconds(took));
        try {
            Files.writeString(file, JsonDocument.write(json));
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "--report: cannot write " + file + ": " + Fault.words(e), e);
        }
    }

    /// The file of `--report`, if there is one.
    static Optional<Path> file(SettingValues settings, Console console) {
        Optional<Path> file = Optional.empty();
        for (String value : settings.list(FolderSettings.REPORT)) {
            Map.Entry<String, String> pair = ParameterFlags.cut(FolderSettings.REPORT, value, "json=FILE");
            if (!pair.getKey().equals("json")) {
                throw new Fault(FaultCode.USAGE, "--report: no format " + pair.getKey() + "; the formats are json");
            }
            file = Optional.of(console.directory().resolve(pair.getValue()));
        }
        return file;
    }
}

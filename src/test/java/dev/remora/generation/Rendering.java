package dev.remora.generation;

import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.PluginDefinitionReader;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.process.Confinement;
import dev.remora.process.ExecTimeouts;
import dev.remora.process.ProcessSettings;
import dev.remora.telemetry.Phases;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Renders a folder in a test, with real commands.
final class Rendering implements AutoCloseable {
    private static final long ANSWER_BYTES = 100L << 20;

    final Phases phases = new Phases();
    final Cancellation cancellation = new Cancellation();
    private final CommandRunner runner =
            CommandRunner.open(ProcessSettings.standard(Bytes.utf8(System.getenv("PATH"))));
    private final CommandEnvironment own = CommandEnvironment.ofThisProcess(Map.of());
    private final Path folder;
    private Departures departures = Departures.NONE_SWITCHED_BACK;
    private Optional<Duration> deadline = Optional.empty();
    private List<EnvironmentVariable> environment = List.of();

    Rendering(Path folder) {
        this.folder = folder;
    }

    Rendering as(Departures changed) {
        departures = changed;
        return this;
    }

    Rendering within(Duration time) {
        deadline = Optional.of(time);
        return this;
    }

    Rendering with(String name, String value) {
        environment = List.of(EnvironmentVariable.of(name, value));
        return this;
    }

    /// A definition with these lines under `spec` and `remora`.
    static PluginDefinition plugin(String rest) {
        String text = "kind: ConfigManagementPlugin\nmetadata: {name: some-plugin}\n" + rest;
        return PluginDefinitionReader.read(text.getBytes(StandardCharsets.UTF_8), "plugin.yaml");
    }

    /// One whose generate command is this shell script.
    static PluginDefinition generating(String script) {
        return plugin("spec:\n  generate:\n    command: [sh, -c]\n    args:\n    - |\n      "
                + script.replace("\n", "\n      ") + "\n");
    }

    List<String> generate(PluginDefinition plugin) {
        return new ManifestGenerator(runner, own, departures, ANSWER_BYTES)
                .generate(request(plugin), phases).documents().stream()
                        .map(document -> new String(document.json(), StandardCharsets.UTF_8))
                        .toList();
    }

    List<String> announce(PluginDefinition plugin) {
        return new ParameterAnnouncer(runner, own, ANSWER_BYTES)
                .announce(request(plugin), phases).stream()
                        .map(announcement -> announcement.name() + "=" + announcement.string())
                        .toList();
    }

    private GenerationRequest request(PluginDefinition plugin) {
        return new GenerationRequest(
                plugin,
                Bytes.utf8(folder.toString()),
                environment,
                Confinement.COMPATIBLE,
                CallTime.startingNow(deadline, new ExecTimeouts(Duration.ofSeconds(90), Duration.ofMillis(300), true)),
                cancellation);
    }

    @Override
    public void close() {
        runner.close();
    }
}

package dev.remora.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.generation.FencePolicy;
import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.PluginDefinitionReader;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.process.ExecTimeouts;
import dev.remora.process.ProcessSettings;
import dev.remora.protocol.TransportLimits;
import dev.remora.sandbox.SystemFiles;
import dev.remora.telemetry.Phases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The contract, in this process.
class LocalHostTest extends PluginHostContract {
    private CommandRunner runner;

    @BeforeEach
    void openRunner() {
        ProcessSettings standard = ProcessSettings.standard(Bytes.utf8(System.getenv("PATH")));
        runner = CommandRunner.open(new ProcessSettings(
                standard.searchPath(), standard.containment(), standard.ending(), false, standard.closeGrace()));
    }

    @AfterEach
    void closeRunner() {
        runner.close();
    }

    @Override
    PluginHost host(PluginDefinition definition, String text) {
        return new LocalHost(
                definition,
                new LocalSettings(
                        Bytes.utf8(folder.toString()),
                        Optional.empty(),
                        Departures.NONE_SWITCHED_BACK,
                        ExecTimeouts.DEFAULT,
                        true,
                        TransportLimits.DEFAULT_MESSAGE_BYTES,
                        new FencePolicy(FencePolicy.Level.BY_DEFINITION, new SystemFiles(System.getenv(), List.of()))),
                runner,
                CommandEnvironment.ofThisProcess(Map.of()));
    }

    /// What `explain --shell` does, with a command that tells what it sees in the place of a shell.
    @Test
    void letsSomebodyLookAroundWhereGenerateWouldRun() throws IOException {
        Path seen = Files.createDirectory(folder.resolve("seen")).resolve("seen.txt");
        PluginDefinition definition = PluginDefinitionReader.read("""
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: attended}
                spec:
                  init: {command: [sh, -c, "echo made > made.txt"]}
                  generate: {command: ["false"]}
                """.getBytes(UTF_8), "plugin.yaml");
        CommandSpec look =
                new CommandSpec(List.of("sh", "-c", "(cat made.txt; ls; echo $ARGOCD_ENV_X) > " + seen), List.of());

        try (PluginHost host = host(definition, "")) {
            ((LocalHost) host).attend(request("app"), new Phases(), look);
        }

        assertThat(seen)
                .content()
                .startsWith("made\na.yaml\n")
                .contains("made.txt\n")
                .endsWith("\nx y\n");
        assertThat(folder.resolve("repo/app/made.txt")).doesNotExist();
    }
}

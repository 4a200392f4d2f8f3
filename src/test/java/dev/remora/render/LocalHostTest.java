package dev.remora.render;

import dev.remora.generation.FencePolicy;
import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.process.ExecTimeouts;
import dev.remora.process.ProcessSettings;
import dev.remora.protocol.TransportLimits;
import dev.remora.sandbox.SystemFiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

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
}

package dev.remora.generation;

import dev.remora.fault.Fault;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.ManifestSplitter;
import dev.remora.manifest.OutputGuard;
import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinition;
import dev.remora.process.Captured;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.util.List;
import java.util.Optional;

/// Renders a folder as a definition says: `init` if there is one, `generate`, then its output split and checked. What
/// a sidecar's call and a folder command do is this, so they cannot drift apart.
public final class ManifestGenerator {
    private final CommandRunner runner;
    private final CommandEnvironment own;
    private final Departures departures;
    private final long answerBytes;

    /// @param own this process's environment
    /// @param answerBytes the most that an answer, and so a command's output, may take
    public ManifestGenerator(CommandRunner runner, CommandEnvironment own, Departures departures, long answerBytes) {
        this.runner = runner;
        this.own = own;
        this.departures = departures;
        this.answerBytes = answerBytes;
    }

    /// Runs the commands, leaves nothing of them alive, and gives the documents in the order in which they were
    /// printed. Times go to `phases`, also those of a render that fails.
    public GeneratedManifests generate(GenerationRequest request, Phases phases) {
        try {
            Captured output = run(request, phases);
            List<ManifestDocument> documents = phases.time(Phase.CHECK, () -> check(request.plugin(), output));
            return new GeneratedManifests(documents, output.stderr());
        } catch (Fault fault) {
            throw fault.in("error generating manifests: ");
        }
    }

    /// Runs `init` if there is one, and then `attended` in the place of `generate`: behind the same fence, with the
    /// same
    /// environment, without a time limit and without an answer.
    public void attend(GenerationRequest request, Phases phases, CommandSpec attended) {
        PluginDefinition plugin = request.plugin();
        try (PluginCommands commands = new PluginCommands(runner, own, answerBytes, request, phases)) {
            if (plugin.init().defined()) {
                commands.run(Phase.INIT, plugin.init());
            }
            commands.attend(Phase.GENERATE, attended);
        }
    }

    private Captured run(GenerationRequest request, Phases phases) {
        PluginDefinition plugin = request.plugin();
        if (!plugin.init().defined()) {
            Optional<Captured> warm = warm(request, phases);
            if (warm.isPresent()) {
                return warm.get();
            }
        }
        try (PluginCommands commands = new PluginCommands(runner, own, answerBytes, request, phases)) {
            if (plugin.init().defined()) {
                commands.run(Phase.INIT, plugin.init());
                Optional<Captured> warm = warm(request, phases);
                if (warm.isPresent()) {
                    return warm.get();
                }
            }
            return commands.runLast(Phase.GENERATE, plugin.generate());
        }
    }

    /// What a worker made of it, where there is one and it is sound; else the command is run.
    private Optional<Captured> warm(GenerationRequest request, Phases phases) {
        return request.warm()
                .flatMap(worker -> new WarmGenerate(runner, own, answerBytes, request, phases).run(worker));
    }

    private List<ManifestDocument> check(PluginDefinition plugin, Captured output) {
        OutputSettings settings = OutputSettings.of(plugin.settings().output(), departures, answerBytes);
        OutputGuard guard = new OutputGuard(settings.rules());
        List<ManifestDocument> documents =
                ManifestSplitter.split(ManifestSplitter.trimmed(output.stdout()), settings.split(), guard);
        guard.checkNotEmpty(documents, output.stderr(), output.stderrBytes());
        return documents;
    }
}

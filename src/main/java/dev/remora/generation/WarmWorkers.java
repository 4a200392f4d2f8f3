package dev.remora.generation;

import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.RemoraSettings;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.Confinement;
import dev.remora.worker.WorkerKey;
import dev.remora.worker.WorkerLease;
import dev.remora.worker.WorkerPool;
import dev.remora.worker.WorkerSpec;
import dev.remora.workspace.Workspace;
import java.util.List;
import java.util.Optional;

/// Which calls may have a worker, and how it is started: `remora.worker` of the definition and what else it says about
/// its commands.
public final class WarmWorkers {
    private final WorkerPool pool;
    private final CommandEnvironment own;
    private final long answerBytes;
    private final FencePolicy fences;

    /// @param own this process's environment
    /// @param answerBytes the most that an answer, and so a worker's output, may take
    public WarmWorkers(WorkerPool pool, CommandEnvironment own, long answerBytes, FencePolicy fences) {
        this.pool = pool;
        this.own = own;
        this.answerBytes = answerBytes;
        this.fences = fences;
    }

    /// A worker for one call, or the reason why it has none; empty where the definition has no workers.
    ///
    /// A strict fence is set when the process starts: then it may write to its own folder alone, and the folders of
    /// its calls lie in that ([#place]).
    ///
    /// @param project the AppProject; a call that does not say it shares a worker with nobody, so it has none
    public Optional<WorkerLease> lend(PluginDefinition plugin, Optional<String> project) {
        return plugin.settings().worker().map(settings -> lend(plugin, project, settings));
    }

    /// The folder in which a call's own must lie, so that its worker reaches it.
    public Optional<Workspace> place(PluginDefinition plugin, WorkerLease lease) {
        return fences.isStrict(plugin) ? lease.place() : Optional.empty();
    }

    private WorkerLease lend(PluginDefinition plugin, Optional<String> project, RemoraSettings.Worker settings) {
        return project.map(name -> pool.lend(new WorkerKey(name, plugin.digest()), spec(plugin, settings)))
                .orElseGet(() -> pool.refuse(plugin.registeredName(), "no project"));
    }

    private WorkerSpec spec(PluginDefinition plugin, RemoraSettings.Worker settings) {
        return new WorkerSpec(
                plugin.registeredName(),
                settings.command().stream().map(Bytes::utf8).toList(),
                place -> surroundings(plugin, place),
                PluginCommands.limits(plugin.settings().limits(), answerBytes),
                new WorkerSpec.Bounds(settings.requests(), settings.idle(), settings.memory(), settings.growth()),
                settings.max());
    }

    /// As a command of the plugin would have them, less what a request brings.
    private WorkerSpec.Surroundings surroundings(PluginDefinition plugin, Workspace place) {
        Confinement held = fences.confine(plugin, FencePolicy.Folders.of(place));
        List<Bytes> environment = own.with(
                held.variables(),
                name -> plugin.settings()
                        .environment()
                        .map(filter -> filter.allows(name))
                        .orElse(true));
        return new WorkerSpec.Surroundings(environment, held.fence());
    }
}

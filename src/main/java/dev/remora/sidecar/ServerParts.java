package dev.remora.sidecar;

import dev.remora.cache.Remembered;
import dev.remora.discovery.Verdict;
import dev.remora.generation.FencePolicy;
import dev.remora.generation.ResultReuse;
import dev.remora.plugin.Departure;
import dev.remora.plugin.PluginDefinition;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.process.Confinement;
import dev.remora.process.ExecTimeouts;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.Meters;
import dev.remora.telemetry.Tracing;
import dev.remora.worker.WorkerPool;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.Workspace;
import dev.remora.workspace.WorkspacePool;

/// What all plugins and calls of one server share.
record ServerParts(
        ServeOptions options,
        Log log,
        Meters meters,
        Tracing tracing,
        CommandRunner runner,
        CommandEnvironment environment,
        WorkRoot workRoot,
        WorkspacePool trees,
        RunningCalls running,
        ResultReuse reuse,
        Remembered<Verdict> verdicts,
        WorkerPool workers,
        FencePolicy fences) {

    /// How the commands of a call are held, which has `workspace`.
    Confinement confine(PluginDefinition plugin, Workspace workspace) {
        return fences.confine(plugin, FencePolicy.Folders.of(workspace));
    }

    ExecTimeouts timeouts() {
        return new ExecTimeouts(
                options.times().execTimeout(),
                options.times().fatalTimeout(),
                options.rules().departures().departs(Departure.EXEC_TIMEOUT));
    }

    int answerBytes() {
        return options.rules().transport().messageBytes();
    }
}

package dev.remora.sidecar;

import dev.remora.archive.UnpackOptions;
import dev.remora.cache.Remembered;
import dev.remora.discovery.Unpacking;
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
import dev.remora.workspace.RecycleOptions;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.Workspace;
import dev.remora.workspace.WorkspacePool;
import java.time.Duration;

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
    private static final RecycleOptions ONE_TREE = new RecycleOptions(1, 1 << 20, 1_000, Duration.ofSeconds(1));

    /// How the commands of a call are held, which has `workspace`.
    Confinement confine(PluginDefinition plugin, Workspace workspace) {
        return fences.confine(plugin, FencePolicy.Folders.of(workspace));
    }

    /// How the archive of a call is unpacked.
    UnpackOptions unpacking(CallSession call) {
        ServeOptions.Rules rules = options.rules();
        return Unpacking.options(call.plugin(), call.relativePath(), rules.departures(), rules.strictArchive());
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

    /// The same for calls that the server makes of itself: counted nowhere, and what they leave is not met by others.
    /// Its trees are the caller's to close.
    ServerParts apart(Log own) {
        RecycleOptions one = CallTree.recycling(options).on() ? ONE_TREE : RecycleOptions.OFF;
        return new ServerParts(
                options.with(options.places().keepingNone()),
                own,
                Meters.NONE,
                Tracing.NONE,
                runner,
                environment,
                workRoot,
                WorkspacePool.open(workRoot, one, _ -> {}),
                new RunningCalls(),
                reuse,
                new Remembered<>(1),
                workers,
                fences);
    }
}

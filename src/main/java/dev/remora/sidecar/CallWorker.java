package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.generation.WarmRender;
import dev.remora.generation.WarmWorkers;
import dev.remora.telemetry.LogLevel;
import dev.remora.worker.WorkerLease;
import dev.remora.workspace.Workspace;
import java.util.Optional;

/// The worker of one call, where its definition has workers. It is borrowed before the archive arrives, so that one
/// that has to be started does so meanwhile.
final class CallWorker implements AutoCloseable {
    /// What Bazel asks of workers when they are to say more.
    private static final int VERBOSE = 10;

    private final ServerParts parts;
    private final CallSession call;
    private final WarmWorkers workers;
    private final Optional<WorkerLease> lease;
    private final int verbosity;
    private boolean rendered;

    private CallWorker(ServerParts parts, CallSession call, WarmWorkers workers) {
        this.parts = parts;
        this.call = call;
        this.workers = workers;
        this.lease = workers.lend(call.plugin(), call.project());
        this.verbosity = parts.log().isOn(LogLevel.DEBUG) ? VERBOSE : 0;
    }

    static CallWorker borrow(ServerParts parts, CallSession call) {
        return new CallWorker(
                parts,
                call,
                new WarmWorkers(parts.workers(), parts.environment(), parts.answerBytes(), parts.fences()));
    }

    /// The call's tree where its worker may reach it. A worker that has made its own folder unusable is not asked.
    Workspace reaching(Workspace workspace) {
        Optional<Workspace> place = lease.flatMap(lent -> workers.place(call.plugin(), lent));
        if (place.isEmpty()) {
            return workspace;
        }
        try {
            return workspace.within(place.get(), parts.workRoot());
        } catch (Fault fault) {
            lease.ifPresent(lent -> lent.decline(Fault.words(fault)));
            return workspace;
        }
    }

    /// For a render in `tree`.
    Optional<WarmRender> warm(CallTree tree) {
        rendered = true;
        lease.ifPresent(_ -> tree.outlived());
        return lease.map(lent -> new WarmRender(lent, tree.path(), verbosity));
    }

    /// Says who did the work, if any was done, and gives the worker back.
    @Override
    public void close() {
        lease.ifPresent(lent -> {
            call.ranBy(rendered ? lent.ranBy() : "");
            lent.close();
        });
    }
}

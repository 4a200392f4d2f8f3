package dev.remora.sidecar;

import dev.remora.generation.WarmRender;
import dev.remora.generation.WarmWorkers;
import dev.remora.telemetry.LogLevel;
import dev.remora.worker.WorkerLease;
import java.util.Optional;

/// The worker of one call, where its definition has workers. It is borrowed before the archive arrives, so that one
/// that has to be started does so meanwhile.
final class CallWorker implements AutoCloseable {
    /// What Bazel asks of workers when they are to say more.
    private static final int VERBOSE = 10;

    private final CallSession call;
    private final Optional<WorkerLease> lease;
    private final int verbosity;
    private boolean rendered;

    private CallWorker(CallSession call, Optional<WorkerLease> lease, int verbosity) {
        this.call = call;
        this.lease = lease;
        this.verbosity = verbosity;
    }

    static CallWorker borrow(ServerParts parts, CallSession call) {
        WarmWorkers workers =
                new WarmWorkers(parts.workers(), parts.environment(), parts.answerBytes(), parts.fences());
        int verbosity = parts.log().isOn(LogLevel.DEBUG) ? VERBOSE : 0;
        return new CallWorker(call, workers.lend(call.plugin(), call.project()), verbosity);
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

package dev.remora.worker;

import dev.remora.process.Cancellation;
import dev.remora.process.TimeLimits;
import dev.remora.workspace.Workspace;
import java.util.Optional;

/// One call's use of a worker, or the word why it has none. Closing it gives the worker back. For the thread that
/// serves the call.
public final class WorkerLease implements AutoCloseable {
    private final WorkerPool pool;
    private final Optional<Borrowed> borrowed;
    private Optional<WorkerResult> result = Optional.empty();
    private String refusal;

    private record Borrowed(WorkerKey key, Worker worker) {}

    private WorkerLease(WorkerPool pool, Optional<Borrowed> borrowed, String refusal) {
        this.pool = pool;
        this.borrowed = borrowed;
        this.refusal = refusal;
    }

    static WorkerLease of(WorkerPool pool, WorkerKey key, Worker worker) {
        return new WorkerLease(pool, Optional.of(new Borrowed(key, worker)), "not needed");
    }

    static WorkerLease none(WorkerPool pool, String reason) {
        return new WorkerLease(pool, Optional.empty(), reason);
    }

    /// The worker's own folder; only below it may it write. Empty where there is no worker.
    public Optional<Workspace> place() {
        return borrowed.map(lent -> lent.worker().place());
    }

    /// Why there is no worker, if so.
    public Optional<String> refusal() {
        return borrowed.isPresent() ? Optional.empty() : Optional.of(refusal);
    }

    /// The worker is not to be asked, now or again: its folder is of no use.
    public void decline(String why) {
        if (borrowed.isPresent()) {
            WorkerResult.Failed failed = borrowed.get().worker().unfit(why);
            result = Optional.of(failed);
            pool.failedOver(borrowed.get().key(), borrowed.get().worker(), failed);
        }
    }

    /// Asks the worker, once; empty where the command must be run.
    ///
    /// @param outputBytes the most that the output may have
    public Optional<WorkerResult.Ran> ask(
            WorkRequest request, TimeLimits time, Cancellation cancellation, long outputBytes) {
        if (borrowed.isEmpty() || result.isPresent()) {
            return Optional.empty();
        }
        Borrowed lent = borrowed.get();
        if (!request.sayable()) {
            refusal = "not UTF-8";
            return Optional.empty();
        }
        WorkerResult made = lent.worker().ask(request, time, cancellation, outputBytes);
        result = Optional.of(made);
        return switch (made) {
            case WorkerResult.Ran ran -> Optional.of(ran);
            case WorkerResult.Failed failed -> {
                pool.failedOver(lent.key(), lent.worker(), failed);
                yield Optional.empty();
            }
        };
    }

    /// Who did the work, for the log: `worker`, or `command` with the reason: `command (busy)`.
    public String ranBy() {
        if (result.isEmpty()) {
            return "command (" + refusal + ")";
        }
        return switch (result.get()) {
            case WorkerResult.Ran _ -> "worker";
            case WorkerResult.Failed(String reason, String _) -> "command (worker: " + reason + ")";
        };
    }

    @Override
    public void close() {
        boolean ran = result.filter(made -> made instanceof WorkerResult.Ran).isPresent();
        borrowed.ifPresent(lent -> pool.giveBack(lent.key(), lent.worker(), ran));
    }
}

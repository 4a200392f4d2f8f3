package dev.remora.worker;

import dev.remora.fault.Fault;
import dev.remora.process.Answer;
import dev.remora.process.Command;
import dev.remora.process.CommandRunner;
import dev.remora.process.ProcessSettings;
import dev.remora.process.StandingProcess;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogKey;
import dev.remora.telemetry.LogLevel;
import dev.remora.telemetry.Meters;
import dev.remora.telemetry.Meters.Count;
import dev.remora.telemetry.Meters.Gauge;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.Workspace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// All workers of one server. A call borrows one that serves its AppProject and its plugin's definition, and has it
/// alone; if none is free one more is started, if need be for the one that was unused for the longest time; and if all
/// are in use the call runs its command instead of waiting.
///
/// `lock` guards all fields and those that [Worker] says. It is never held while a worker works or ends.
public final class WorkerPool implements AutoCloseable {
    private final CommandRunner runner;
    private final WorkRoot workRoot;
    private final Log log;
    private final Meters meters;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Kept> workers = new ArrayList<>();
    private final FailureMemory failures = new FailureMemory();
    private @Nullable Thread watch;
    private boolean closed;

    /// @param worker until nothing of it is alive
    private record Kept(WorkerKey key, Worker worker) {}

    /// @param workRoot where each worker gets a folder of its own
    public WorkerPool(CommandRunner runner, WorkRoot workRoot, Log log, Meters meters) {
        this.runner = runner;
        this.workRoot = workRoot;
        this.log = log;
        this.meters = meters;
        meters.watch(Gauge.WORKERS, "", this::alive);
    }

    /// Workers that are not about to end.
    public int alive() {
        lock.lock();
        try {
            return (int) workers.stream().filter(kept -> usable(kept.worker())).count();
        } finally {
            lock.unlock();
        }
    }

    /// A worker for one call, or the reason why it has none.
    public WorkerLease lend(WorkerKey key, WorkerSpec spec) {
        WorkerLease lease;
        lock.lock();
        try {
            lease = lendLocked(key, spec);
        } finally {
            lock.unlock();
        }
        lease.refusal().ifPresent(reason -> meters.count(Count.WORKER_REFUSALS, spec.plugin(), reason));
        return lease;
    }

    /// No worker, for a reason that is not ours.
    public WorkerLease refuse(String plugin, String reason) {
        meters.count(Count.WORKER_REFUSALS, plugin, reason);
        return WorkerLease.none(this, reason);
    }

    private WorkerLease lendLocked(WorkerKey key, WorkerSpec spec) {
        if (closed) {
            return WorkerLease.none(this, "stopping");
        }
        Optional<Worker> free = workers.stream()
                .filter(kept -> kept.key().equals(key) && idle(kept.worker()))
                .map(Kept::worker)
                .max(byUse());
        if (free.isPresent()) {
            free.get().busy = true;
            return WorkerLease.of(this, key, free.get());
        }
        if (failures.heldBack(key, System.nanoTime())) {
            return WorkerLease.none(this, "held back");
        }
        if (!makeRoom(spec.max())) {
            return WorkerLease.none(this, "busy");
        }
        try {
            return start(key, spec)
                    .map(worker -> WorkerLease.of(this, key, worker))
                    .orElseGet(() -> WorkerLease.none(this, "not contained"));
        } catch (Fault fault) {
            log.warning("no worker: " + Fault.words(fault), LogKey.PLUGIN.is(spec.plugin()));
            return WorkerLease.none(this, WorkerEnd.START.word());
        }
    }

    private static Comparator<Worker> byUse() {
        long base = System.nanoTime();
        return Comparator.comparingLong(worker -> worker.lastUsed - base);
    }

    private static boolean usable(Worker worker) {
        return worker.end.isEmpty() && worker.standing();
    }

    private static boolean idle(Worker worker) {
        return !worker.busy && usable(worker);
    }

    private boolean makeRoom(int max) {
        List<Worker> present =
                workers.stream().map(Kept::worker).filter(WorkerPool::usable).toList();
        if (present.size() < max) {
            return true;
        }
        Optional<Worker> oldest = present.stream().filter(WorkerPool::idle).min(byUse());
        oldest.ifPresent(worker -> endLocked(worker, WorkerEnd.ROOM, ProcessSettings.CLOSE_GRACE));
        return oldest.isPresent();
    }

    private Optional<Worker> start(WorkerKey key, WorkerSpec spec) {
        Workspace place = workRoot.open();
        Kept[] made = new Kept[1];
        Optional<StandingProcess> process;
        try {
            WorkerSpec.Surroundings around = spec.surroundings().apply(place);
            Command command = new Command(spec.command(), around.environment(), place.path());
            process = runner.stand(spec.plugin(), spec.limits(), around.fence(), command, gone -> gone(made, gone));
        } catch (RuntimeException e) {
            place.close();
            throw e;
        }
        if (process.isEmpty()) {
            place.close();
            return Optional.empty();
        }
        Worker worker = new Worker(spec, process.get(), place);
        worker.busy = true;
        made[0] = new Kept(key, worker);
        workers.add(made[0]);
        meters.count(Count.WORKER_STARTS, spec.plugin(), "");
        watchIdle();
        return Optional.of(worker);
    }

    /// When nothing of a worker is alive any more. Comes from another thread, so not before `start` has let go.
    private void gone(Kept[] made, Answer.Gone gone) {
        lock.lock();
        try {
            Kept kept = made[0];
            kept.worker().dead = true;
            if (!kept.worker().busy) {
                noteEnd(kept, Worker.reason(gone.why()), gone.how());
                remove(kept);
            }
        } finally {
            lock.unlock();
        }
    }

    /// It ended by itself, or its borrower saw why it must.
    private void noteEnd(Kept kept, WorkerEnd reason, String how) {
        if (kept.worker().end.isEmpty() && reason.bad()) {
            failures.failed(kept.key(), System.nanoTime());
        }
        tellEnd(kept.worker(), reason, how);
    }

    /// Its folder may hold that of a call, so not before that has given the worker back.
    private void remove(Kept kept) {
        workers.remove(kept);
        kept.worker().place().close();
        changed.signalAll();
    }

    /// Once for each worker.
    private void tellEnd(Worker worker, WorkerEnd reason, String how) {
        if (worker.end.isPresent()) {
            return;
        }
        worker.end = Optional.of(reason);
        String plugin = worker.spec().plugin();
        meters.count(Count.WORKER_ENDS, plugin, reason.word());
        LogLevel level = reason.bad() ? LogLevel.WARNING : LogLevel.DEBUG;
        log.write(level, "worker ended: " + how, LogKey.PLUGIN.is(plugin), LogKey.REASON.is(reason.word()));
    }

    private void endLocked(Worker worker, WorkerEnd reason, Duration grace) {
        tellEnd(worker, reason, "it was told to end");
        worker.end(grace);
    }

    /// A worker failed and the command is run: counted, and told with the reason.
    void failedOver(WorkerKey key, Worker worker, WorkerResult.Failed failed) {
        String plugin = worker.spec().plugin();
        meters.count(Count.WORKER_FAILOVERS, plugin, failed.reason());
        log.warning(
                "worker failed, the command is run: " + failed.how(),
                LogKey.PLUGIN.is(plugin),
                LogKey.PROJECT.is(key.project()),
                LogKey.REASON.is(failed.reason()));
    }

    /// @param ran whether it did what a worker is for
    void giveBack(WorkerKey key, Worker worker, boolean ran) {
        lock.lock();
        try {
            if (ran) {
                meters.count(Count.WORKER_REQUESTS, worker.spec().plugin(), "");
            }
            worker.lastUsed = System.nanoTime();
            worker.busy = false;
            Optional<WorkerEnd> due = worker.due();
            Kept kept = new Kept(key, worker);
            if (due.isPresent()) {
                noteEnd(kept, due.get(), "after " + worker.asked() + " request(s)");
                worker.end(due.get().bad() ? Duration.ZERO : ProcessSettings.CLOSE_GRACE);
            } else {
                noteUse(kept, ran);
            }
            if (worker.dead) {
                remove(kept);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void noteUse(Kept kept, boolean ran) {
        if (ran) {
            failures.succeeded(kept.key());
        }
        if (kept.worker().outdated) {
            endLocked(kept.worker(), WorkerEnd.CHANGED, ProcessSettings.CLOSE_GRACE);
        }
    }

    /// Ends the idle workers of definitions that are served no more; busy ones when they are given back.
    ///
    /// @param digests of the definitions that are served
    public void keepOnly(Set<String> digests) {
        lock.lock();
        try {
            for (Kept kept : workers) {
                kept.worker().outdated = !digests.contains(kept.key().digest());
                if (kept.worker().outdated && idle(kept.worker())) {
                    endLocked(kept.worker(), WorkerEnd.CHANGED, ProcessSettings.CLOSE_GRACE);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Begins with the first worker: a server without workers has no such thread.
    private void watchIdle() {
        if (watch == null) {
            watch = Thread.ofPlatform().daemon().name("worker-watch").start(this::watch);
        }
        changed.signalAll();
    }

    private void watch() {
        lock.lock();
        try {
            while (!closed) {
                long left = endIdle();
                if (left == Long.MAX_VALUE) {
                    changed.await();
                } else {
                    long _ = changed.awaitNanos(left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /// Nanoseconds until the next idle worker is due.
    private long endIdle() {
        long now = System.nanoTime();
        long nearest = Long.MAX_VALUE;
        for (Kept kept : workers) {
            Worker worker = kept.worker();
            if (idle(worker)) {
                long left = worker.spec().bounds().idle().toNanos() - (now - worker.lastUsed);
                if (left <= 0) {
                    endLocked(worker, WorkerEnd.IDLE, ProcessSettings.CLOSE_GRACE);
                } else {
                    nearest = Math.min(nearest, left);
                }
            }
        }
        return nearest;
    }

    /// Ends all workers, together, and returns when nothing of them is alive.
    @Override
    public void close() {
        List<Kept> last;
        lock.lock();
        try {
            closed = true;
            last = List.copyOf(workers);
            last.forEach(kept -> endLocked(kept.worker(), WorkerEnd.SERVER, ProcessSettings.CLOSE_GRACE));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        last.forEach(kept -> kept.worker().awaitEnd());
    }
}

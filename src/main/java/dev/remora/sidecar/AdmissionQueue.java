package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Lets so many calls of one plugin work at once as `limits.parallel` says; the others wait in their order.
///
/// A call that cannot make it is refused at once instead of waiting in vain: when the time left is below the plugin's
/// median duration times the rounds that must be over before the call's turn. Mutable; `lock` guards all fields.
final class AdmissionQueue {
    /// The median is of the last so many renders: enough to be steady, few enough to follow a change.
    private static final int REMEMBERED = 31;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Condition> waiting = new ArrayDeque<>();
    private final ArrayDeque<Long> recent = new ArrayDeque<>();
    private OptionalInt parallel = OptionalInt.empty();
    private int running;

    /// Takes a changed setting over; empty: no limit.
    void allow(OptionalInt atOnce) {
        lock.lock();
        try {
            parallel = atOnce;
            waiting.forEach(Condition::signal);
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    int running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }

    /// As below, the wait being a phase of the call.
    Place enter(CallSession call) {
        return call.phases().time(Phase.QUEUE, () -> enter(call.time(), call.cancellation()));
    }

    /// Waits for a place, which the caller closes when the work is done.
    ///
    /// @throws Fault `CALL_REFUSED`, `CALL_DEADLINE`, or `CALL_CANCELLED`
    Place enter(CallTime time, Cancellation cancellation) {
        Condition turn = lock.newCondition();
        try (var _ = cancellation.onCancel(() -> wake(turn))) {
            lock.lock();
            try {
                if (!waiting.isEmpty() || !free()) {
                    refuseHopeless(time);
                    waiting.add(turn);
                    await(turn, time, cancellation);
                }
                running++;
            } finally {
                waiting.remove(turn);
                wakeFirst();
                lock.unlock();
            }
        }
        return new Place(System.nanoTime());
    }

    private boolean free() {
        return parallel.isEmpty() || running < parallel.getAsInt();
    }

    private void refuseHopeless(CallTime time) {
        Optional<Duration> left = time.left();
        if (left.isEmpty() || recent.isEmpty() || parallel.isEmpty()) {
            return;
        }
        long rounds = waiting.size() / parallel.getAsInt() + 1L;
        Duration median = median();
        Duration wait = median.multipliedBy(rounds);
        if (left.get().compareTo(wait) < 0) {
            throw new Fault(
                    FaultCode.CALL_REFUSED,
                    "limits.parallel is " + parallel.getAsInt() + " and " + waiting.size()
                            + " calls wait already; a render takes about " + Phases.seconds(median)
                            + ", so this one could begin in about " + Phases.seconds(wait) + ", and only "
                            + Phases.seconds(left.get())
                            + " are left; raise remora.limits.parallel or the caller's timeout");
        }
    }

    private void await(Condition turn, CallTime time, Cancellation cancellation) {
        try {
            while (!turn.equals(waiting.peek()) || !free()) {
                if (cancellation.isCancelled()) {
                    throw new Fault(
                            FaultCode.CALL_CANCELLED,
                            "context canceled: " + cancellation.reason().orElse("") + " while waiting for its turn");
                }
                long left = time.left().map(Duration::toNanos).orElse(Long.MAX_VALUE);
                if (left <= 0) {
                    throw new Fault(
                            FaultCode.CALL_DEADLINE,
                            "context deadline exceeded: the caller's time ran out while waiting for its turn among "
                                    + waiting.size() + " calls; raise remora.limits.parallel or the caller's timeout");
                }
                long _ = turn.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Fault(FaultCode.CALL_CANCELLED, "context canceled", e);
        }
    }

    private void wake(Condition turn) {
        lock.lock();
        try {
            turn.signal();
        } finally {
            lock.unlock();
        }
    }

    private void wakeFirst() {
        Condition first = waiting.peek();
        if (first != null) {
            first.signal();
        }
    }

    private Duration median() {
        long[] sorted = recent.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return Duration.ofNanos(sorted[sorted.length / 2]);
    }

    /// The right to work; closed once.
    final class Place implements AutoCloseable {
        private final long since;

        private Place(long since) {
            this.since = since;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                running--;
                recent.add(System.nanoTime() - since);
                if (recent.size() > REMEMBERED) {
                    recent.remove();
                }
                wakeFirst();
            } finally {
                lock.unlock();
            }
        }
    }
}

package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The calls that are being served, of all plugins; a stop waits for these and for nothing else. Mutable; `lock` guards
/// all fields.
final class RunningCalls {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();
    private final Set<Cancellation> running = new HashSet<>();
    private boolean stopping;
    private long ended;

    /// @throws Fault `SERVER_STOPPING` once a stop was asked for
    void enter(Cancellation call) {
        lock.lock();
        try {
            if (stopping) {
                throw new Fault(FaultCode.SERVER_STOPPING, "the plugin server is stopping; try again in a moment");
            }
            running.add(call);
        } finally {
            lock.unlock();
        }
    }

    void leave(Cancellation call) {
        lock.lock();
        try {
            running.remove(call);
            ended++;
            if (running.isEmpty()) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return running.size();
        } finally {
            lock.unlock();
        }
    }

    /// How many calls have ended, if none runs now.
    OptionalLong endedWhenIdle() {
        lock.lock();
        try {
            return running.isEmpty() ? OptionalLong.of(ended) : OptionalLong.empty();
        } finally {
            lock.unlock();
        }
    }

    void refuseNew() {
        lock.lock();
        try {
            stopping = true;
        } finally {
            lock.unlock();
        }
    }

    /// Whether all calls ended within `time`.
    boolean awaitNone(Duration time) throws InterruptedException {
        long left = time.toNanos();
        lock.lock();
        try {
            while (!running.isEmpty()) {
                if (left <= 0) {
                    return false;
                }
                left = none.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Asks the remaining calls to end; they answer with `reason`.
    int cancelAll(String reason) {
        List<Cancellation> left;
        lock.lock();
        try {
            left = new ArrayList<>(running);
        } finally {
            lock.unlock();
        }
        left.forEach(call -> call.cancel(reason));
        return left.size();
    }
}

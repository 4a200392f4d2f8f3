package dev.remora.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Workers that fail again and again are left alone for a while: every try costs a start, and the command does the
/// work in the end. One failure may be the fault of one request, so the next call tries again; after the second in
/// succession a second passes, twice as long after each further one, a minute at most. A good answer forgets all.
/// Guarded by the lock of its [WorkerPool].
final class FailureMemory {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofMinutes(1);

    /// Of definitions that are served no more.
    private static final int REMEMBERED = 1000;

    private record Failures(int count, long until) {}

    private final Map<WorkerKey, Failures> failures = new HashMap<>();

    void failed(WorkerKey key, long now) {
        int count = failures.getOrDefault(key, new Failures(0, 0)).count() + 1;
        Duration pause = count == 1 ? Duration.ZERO : FIRST.multipliedBy(1L << Math.min(count - 2, 10));
        long nanos = (pause.compareTo(MOST) > 0 ? MOST : pause).toNanos();
        if (failures.size() >= REMEMBERED) {
            failures.clear();
        }
        failures.put(key, new Failures(count, now + nanos));
    }

    void succeeded(WorkerKey key) {
        failures.remove(key);
    }

    boolean heldBack(WorkerKey key, long now) {
        Failures found = failures.get(key);
        return found != null && now - found.until() < 0;
    }
}

package dev.remora.process;

import java.util.HashMap;
import java.util.Map;

/// Reaps zombies that no render owns: as process 1 those of `kubectl exec`, as a subreaper those that a render could
/// not wait for. Looks every second.
///
/// Only orphans are looked at, never a running command (see [Orphans]), and a zombie is reaped when it was one at the
/// look before: should other code of this JVM have started it and wait for it, that has taken its status long since.
final class OrphanReaper implements AutoCloseable {
    static final long INTERVAL_MILLIS = 1000;

    private final ProcessTable table;
    private final Orphans orphans;
    private final Thread thread;
    private Map<Integer, Long> zombies = Map.of();

    OrphanReaper(ProcessTable table, Orphans orphans) {
        this.table = table;
        this.orphans = orphans;
        thread = Thread.ofPlatform().daemon().name("orphan-reaper").start(this::live);
    }

    private void live() {
        try {
            while (true) {
                Thread.sleep(INTERVAL_MILLIS);
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        Map<Integer, Long> seen = new HashMap<>();
        for (int pid : orphans.list()) {
            table.stat(pid).filter(stat -> !stat.alive()).ifPresent(stat -> seen.put(pid, stat.start()));
        }
        Map<Integer, Long> before = zombies;
        zombies = seen;
        if (!seen.isEmpty()) {
            boolean _ = orphans.anyAlive(
                    pid -> seen.containsKey(pid) && seen.get(pid).equals(before.get(pid)));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

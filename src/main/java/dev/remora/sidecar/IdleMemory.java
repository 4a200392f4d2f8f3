package dev.remora.sidecar;

import java.time.Duration;
import java.util.OptionalLong;

/// Gives memory back when nobody calls. Large answers need a large heap for a moment; the collector that is small
/// enough for a sidecar collects only when the heap is full, so after a burst it would hold all of it for ever. One
/// full collection, when no call ran for a while, shrinks it to what lives.
final class IdleMemory implements AutoCloseable {
    private final RunningCalls calls;
    private final Runnable collect;
    private final Duration quiet;
    private final Thread thread;

    /// @param collect gives memory back; it may take a few tens of milliseconds
    /// @param quiet so long no call must have run or ended
    IdleMemory(RunningCalls calls, Runnable collect, Duration quiet) {
        this.calls = calls;
        this.collect = collect;
        this.quiet = quiet;
        thread = Thread.ofPlatform().daemon().name("idle-memory").start(this::live);
    }

    private void live() {
        OptionalLong before = OptionalLong.empty();
        long collectedAt = 0;
        try {
            while (true) {
                Thread.sleep(quiet);
                OptionalLong now = calls.endedWhenIdle();
                if (now.isPresent() && now.equals(before) && now.getAsLong() != collectedAt) {
                    collect.run();
                    collectedAt = now.getAsLong();
                }
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

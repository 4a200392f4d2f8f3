package dev.remora.cli;

import dev.remora.process.Cancellation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ctrl-C and SIGTERM during a folder command: the running commands are ended and the work folder is removed before the
/// process ends with 130 or 143, which the JVM does by itself.
final class Interruption implements AutoCloseable {
    private final Cancellation cancellation = new Cancellation();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Duration longest;
    private final Thread hook = new Thread(this::interrupt, "interruption");

    private Interruption(Duration longest) {
        this.longest = longest;
    }

    /// @param longest how long the end of commands may take
    static Interruption within(Duration longest) {
        Interruption interruption = new Interruption(longest);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    Cancellation cancellation() {
        return cancellation;
    }

    private void interrupt() {
        cancellation.cancel("interrupted");
        try {
            boolean inTime = over.await(longest.toMillis(), TimeUnit.MILLISECONDS);
            if (!inTime) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // the hook runs, and has just been told that the work is over
            return;
        }
    }
}

package dev.remora.process;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One command of a [PlainTree]: two virtual threads read its output, the caller looks every few milliseconds.
///
/// What was read is guarded by the monitor.
final class PlainRun {
    private static final int READ_BYTES = 64 * 1024;
    private static final long LOOK_MILLIS = 5;

    private final Process process;
    private final CommandLimits limits;
    private final TimeLimits time;
    private final Cancellation cancellation;
    private final long started = System.nanoTime();
    private final BoundedOutput stdout;
    private final HeadAndTail stderr;
    private final CountDownLatch open = new CountDownLatch(2);
    private boolean interrupted;

    PlainRun(Process process, CommandLimits limits, TimeLimits time, Cancellation cancellation, HeadAndTail stderr) {
        this.stderr = stderr;
        this.process = process;
        this.limits = limits;
        this.time = time;
        this.cancellation = cancellation;
        this.stdout = new BoundedOutput(limits.stdoutBytes());
    }

    Outcome finish() {
        read(process.getInputStream(), bytes -> stdout.add(MemorySegment.ofArray(bytes), bytes.length));
        read(process.getErrorStream(), stderr::add);
        Function<Captured, Outcome> stopped = null;
        while (stopped == null && !over()) {
            stopped = reasonToStop();
        }
        if (stopped != null) {
            endAll();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Captured output = captured();
        return stopped != null ? stopped.apply(output) : new Outcome.Exited(process.exitValue(), output);
    }

    private void read(InputStream stream, Consumer<byte[]> sink) {
        Thread.ofVirtual().start(() -> {
            try (stream) {
                byte[] buffer = new byte[READ_BYTES];
                for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                    add(sink, Arrays.copyOf(buffer, count));
                }
            } catch (IOException e) {
                add(stderr::add, new byte[0]);
            } finally {
                open.countDown();
            }
        });
    }

    private synchronized void add(Consumer<byte[]> sink, byte[] bytes) {
        sink.accept(bytes);
    }

    private synchronized boolean tooMuch() {
        return stdout.exceeded();
    }

    private synchronized Captured captured() {
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        return new Captured(stdout.bytes(), stderr.text(), stdout.seen(), stderr.seen(), took, false);
    }

    private boolean over() {
        try {
            return open.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                    && process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            cancellation.cancel("the call was interrupted");
            return false;
        }
    }

    private @Nullable Function<Captured, Outcome> reasonToStop() {
        if (cancellation.isCancelled()) {
            return output -> new Outcome.Cancelled(cancellation.reason().orElse(""), output);
        }
        if (tooMuch()) {
            return output -> new Outcome.OutputTooLarge(limits.stdoutBytes(), output);
        }
        TimeLimit nearest = time.nearest().orElse(null);
        if (nearest == null || nearest.left(System.nanoTime()) > 0) {
            return null;
        }
        Optional<String> holder = process.isAlive() ? Optional.empty() : Optional.of("a process in the background");
        return output -> new Outcome.TimedOut(nearest, true, holder, output);
    }

    private void endAll() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroy);
        long killAt = System.nanoTime() + TimeLimit.saturated(time.grace());
        while (all.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() - killAt < 0) {
            boolean _ = over();
        }
        process.descendants().forEach(all::add);
        all.forEach(ProcessHandle::destroyForcibly);
        while (process.isAlive()) {
            boolean _ = over();
        }
    }
}

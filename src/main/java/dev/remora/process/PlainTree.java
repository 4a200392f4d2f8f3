package dev.remora.process;

import dev.remora.posix.Bytes;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A tree by the JDK's own means. Same outcomes; but names and values must be UTF-8, limits of the kernel and of the
/// number of processes do not hold, and of what a command left only those who still descend from it are ended.
final class PlainTree implements ProcessTree {
    private static final int READ_BYTES = 64 * 1024;
    private static final long LOOK_MILLIS = 10;

    private final ProcessSettings settings;
    private final CommandLimits limits;
    private final List<ProcessHandle> started = new ArrayList<>();

    PlainTree(ProcessSettings settings, CommandLimits limits) {
        this.settings = settings;
        this.limits = limits;
    }

    @Override
    public synchronized Outcome run(Command command, TimeLimits time, Cancellation cancellation) {
        if (command.argv().isEmpty()) {
            return StartFailure.notStarted("Command is empty", Optional.empty(), 0);
        }
        Optional<Outcome> refused = beforeStart(time, cancellation);
        if (refused.isPresent()) {
            return refused.get();
        }
        try {
            Process process = builder(command).start();
            started.add(process.toHandle());
            return finish(process, time, cancellation);
        } catch (IOException e) {
            String cause = "fork/exec " + command.argv().getFirst() + ": " + e.getMessage();
            return StartFailure.notStarted(cause, Optional.empty(), 0);
        }
    }

    private static Optional<Outcome> beforeStart(TimeLimits time, Cancellation cancellation) {
        if (cancellation.isCancelled()) {
            return Optional.of(new Outcome.Cancelled(cancellation.reason().orElse(""), Captured.NOTHING));
        }
        return time.nearest()
                .filter(limit -> limit.left(System.nanoTime()) <= 0)
                .map(limit -> new Outcome.TimedOut(limit, false, Optional.empty(), Captured.NOTHING));
    }

    private ProcessBuilder builder(Command command) {
        List<String> argv =
                new ArrayList<>(command.argv().stream().map(Bytes::toString).toList());
        argv.set(0, program(argv.getFirst(), command.directory().toString()));
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.directory(new File(command.directory().toString()));
        builder.redirectInput(new File("/dev/null"));
        Map<String, String> environment = builder.environment();
        environment.clear();
        for (Bytes entry : command.environment()) {
            int end = entry.indexOf((byte) '=', 0);
            environment.put(
                    entry.slice(0, end).toString(),
                    entry.slice(end + 1, entry.length()).toString());
        }
        return builder;
    }

    /// Bare names on the server's own PATH, names with a slash relative to the folder; a name not found stays.
    private String program(String name, String directory) {
        if (name.contains("/")) {
            return Path.of(directory).resolve(name).toString();
        }
        for (String folder : settings.searchPath().toString().split(":", -1)) {
            Path path = Path.of(folder, name);
            if (path.isAbsolute() && Files.isExecutable(path) && !Files.isDirectory(path)) {
                return path.toString();
            }
        }
        return name;
    }

    private Outcome finish(Process process, TimeLimits time, Cancellation cancellation) {
        long begun = System.nanoTime();
        BoundedOutput stdout = new BoundedOutput(limits.stdoutBytes());
        HeadAndTail stderr = new HeadAndTail();
        CountDownLatch ended = new CountDownLatch(2);
        pump(process.getInputStream(), bytes -> stdout.add(MemorySegment.ofArray(bytes), bytes.length), ended);
        pump(process.getErrorStream(), stderr::add, ended);
        Function<Captured, Outcome> stopped = null;
        while (stopped == null && !over(process, ended)) {
            stopped = reasonToStop(process, stdout, time, cancellation);
        }
        if (stopped != null) {
            endAll(process.toHandle(), time);
        }
        synchronized (stdout) {
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            Captured output = new Captured(stdout.bytes(), stderr.text(), stdout.seen(), stderr.seen(), took, false);
            return stopped != null ? stopped.apply(output) : ended(process.exitValue(), output);
        }
    }

    /// The JDK reports a signal as 128 and its number; a shell's own exit status may look the same.
    private static Outcome ended(int status, Captured output) {
        return new Outcome.Exited(status, output);
    }

    private static void pump(InputStream stream, Sink sink, CountDownLatch ended) {
        Thread.ofVirtual().start(() -> {
            try (stream) {
                byte[] buffer = new byte[READ_BYTES];
                for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                    sink.add(java.util.Arrays.copyOf(buffer, count));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                ended.countDown();
            }
        });
    }

    private interface Sink {
        void add(byte[] bytes);
    }

    private static boolean over(Process process, CountDownLatch ended) {
        try {
            return ended.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                    && process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private @Nullable Function<Captured, Outcome> reasonToStop(
            Process process, BoundedOutput stdout, TimeLimits time, Cancellation cancellation) {
        if (Thread.currentThread().isInterrupted()) {
            cancellation.cancel("the call was interrupted");
        }
        if (cancellation.isCancelled()) {
            return output -> new Outcome.Cancelled(cancellation.reason().orElse(""), output);
        }
        if (stdout.exceeded()) {
            return output -> new Outcome.OutputTooLarge(limits.stdoutBytes(), output);
        }
        TimeLimit nearest = time.nearest().orElse(null);
        if (nearest == null || nearest.left(System.nanoTime()) > 0) {
            return null;
        }
        Optional<String> holder = process.isAlive() ? Optional.empty() : Optional.of("a process in the background");
        return output -> new Outcome.TimedOut(nearest, true, holder, output);
    }

    private void endAll(ProcessHandle process, TimeLimits time) {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process);
        all.forEach(ProcessHandle::destroy);
        long killAt = System.nanoTime() + TimeLimit.saturated(time.grace());
        while (all.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() - killAt < 0) {
            sleep();
        }
        process.descendants().forEach(all::add);
        all.forEach(ProcessHandle::destroyForcibly);
    }

    private static void sleep() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void close() {
        for (ProcessHandle handle : started) {
            handle.descendants().forEach(ProcessHandle::destroyForcibly);
            boolean _ = handle.destroyForcibly();
        }
    }
}

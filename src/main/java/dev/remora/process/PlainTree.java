package dev.remora.process;

import dev.remora.posix.Bytes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A tree by the JDK's own means. Same outcomes; but names and values must be UTF-8, limits of the kernel and of the
/// number of processes do not hold, an end by signal N shows as exit status 128 + N, and of what a command left only
/// those are ended who still descend from it.
///
/// One command at a time, guarded by the monitor.
final class PlainTree implements ProcessTree {
    private final ProcessSettings settings;
    private final CommandLimits limits;
    private final List<ProcessHandle> started = new ArrayList<>();

    PlainTree(ProcessSettings settings, CommandLimits limits) {
        this.settings = settings;
        this.limits = limits;
    }

    @Override
    public synchronized Outcome run(Command command, TimeLimits time, Cancellation cancellation) {
        return beforeStart(command, time, cancellation).orElseGet(() -> start(command, time, cancellation));
    }

    private static Optional<Outcome> beforeStart(Command command, TimeLimits time, Cancellation cancellation) {
        if (cancellation.isCancelled()) {
            return Optional.of(new Outcome.Cancelled(cancellation.reason().orElse(""), Captured.NOTHING));
        }
        if (command.argv().isEmpty()) {
            return Optional.of(StartFailure.notStarted("Command is empty", Optional.empty(), 0));
        }
        if (command.argv().getFirst().isEmpty()) {
            return Optional.of(StartFailure.notStarted("exec: no command", Optional.empty(), 0));
        }
        return time.nearest()
                .filter(limit -> limit.left(System.nanoTime()) <= 0)
                .map(limit -> new Outcome.TimedOut(limit, false, Optional.empty(), Captured.NOTHING));
    }

    private Outcome start(Command command, TimeLimits time, Cancellation cancellation) {
        Optional<String> program =
                program(command.argv().getFirst(), command.directory().toString());
        if (program.isEmpty()) {
            String name = GoQuote.quoted(command.argv().getFirst());
            return StartFailure.notStarted(
                    "exec: " + name + ": executable file not found in $PATH", Optional.empty(), 0);
        }
        try {
            Process process = builder(command, program.get()).start();
            started.add(process.toHandle());
            return new PlainRun(process, limits, time, cancellation, HeadAndTail.of(settings)).finish();
        } catch (IOException e) {
            String cause = "fork/exec " + program.get() + ": " + e.getMessage();
            return StartFailure.notStarted(cause, Optional.empty(), 0);
        }
    }

    /// Bare names on the server's own PATH, names with a slash relative to the folder.
    private Optional<String> program(Bytes argument, String directory) {
        String name = argument.toString();
        if (name.contains("/")) {
            return Optional.of(Path.of(directory).resolve(name).toString());
        }
        for (String folder : settings.searchPath().toString().split(":", -1)) {
            Path path = Path.of(folder, name);
            if (path.isAbsolute() && Files.isExecutable(path) && !Files.isDirectory(path)) {
                return Optional.of(path.toString());
            }
        }
        return Optional.empty();
    }

    private static ProcessBuilder builder(Command command, String program) {
        List<String> argv =
                new ArrayList<>(command.argv().stream().map(Bytes::toString).toList());
        argv.set(0, program);
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

    @Override
    public synchronized void close() {
        for (ProcessHandle handle : started) {
            handle.descendants().forEach(ProcessHandle::destroyForcibly);
            boolean _ = handle.destroyForcibly();
        }
    }
}

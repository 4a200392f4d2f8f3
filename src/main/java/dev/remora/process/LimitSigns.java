package dev.remora.process;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Which of the kernel's limits a command likely met that ended by itself: it got an error from the kernel, and said
/// so in its own words; or a shell tells by its exit status that a program of it was ended by a signal.
final class LimitSigns {
    private static final Pattern MEMORY = Pattern.compile(
            "MemoryError|cannot allocate memory|out of memory|bad_alloc|\\bENOMEM\\b|OutOfMemory|memory exhausted"
                    + "|can't allocate|failed to allocate",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern OPEN_FILES =
            Pattern.compile("too many open files|\\bEMFILE\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern FILE_SIZE = Pattern.compile("file too large|\\bEFBIG\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern CPU = Pattern.compile("cpu time limit exceeded", Pattern.CASE_INSENSITIVE);
    private static final Pattern PROCESSES = Pattern.compile(
            "cannot fork|can't fork|fork: retry|unable to fork|can't start new thread"
                    + "|fork.*resource temporarily unavailable|resource temporarily unavailable.*fork",
            Pattern.CASE_INSENSITIVE);
    private static final int SHELL_ADDS = 128;
    private static final int SIGKILL = 9;
    private static final int SIGXCPU = 24;
    private static final int SIGXFSZ = 25;

    private LimitSigns() {}

    /// A sentence that names the setting.
    static Optional<String> of(CommandLimits limits, Outcome.Exited exited) {
        String said = exited.output().stderr();
        int signal = exited.status() - SHELL_ADDS;
        boolean ended = signal == SIGKILL && exited.output().memoryRanOut();
        return sign("memory", limits.memory(), ended || MEMORY.matcher(said).find())
                .or(() -> sign(
                        "openFiles",
                        limits.openFiles(),
                        OPEN_FILES.matcher(said).find()))
                .or(() -> sign(
                        "fileSize",
                        limits.fileSize(),
                        signal == SIGXFSZ || FILE_SIZE.matcher(said).find()))
                .or(() -> sign(
                        "cpu",
                        limits.cpuSeconds(),
                        signal == SIGXCPU || CPU.matcher(said).find()))
                .or(() -> sign(
                        "processes",
                        OptionalLong.of(limits.processes()),
                        PROCESSES.matcher(said).find()));
    }

    private static Optional<String> sign(String setting, OptionalLong limit, boolean seen) {
        return seen && limit.isPresent()
                ? Optional.of("likely remora.limits." + setting + " of " + limit.getAsLong() + " fired; raise it")
                : Optional.empty();
    }
}

package dev.remora.process;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// What the commands of one render may use, from the block `remora: limits`.
///
/// @param stdoutBytes of one command; above it the command is ended
/// @param processes alive at once in the whole render; above it the render is ended
/// @param memory bytes of data (heap and anonymous memory) of one process
/// @param openFiles of one process
/// @param fileSize bytes of one file that a process writes
/// @param cpuSeconds of one process
/// @param nice from -20 to 19, added to nothing: the value itself
public record CommandLimits(
        long stdoutBytes,
        int processes,
        OptionalLong memory,
        OptionalLong openFiles,
        OptionalLong fileSize,
        OptionalLong cpuSeconds,
        OptionalInt nice) {
    public static final int DEFAULT_PROCESSES = 1024;

    public CommandLimits {
        if (stdoutBytes < 0 || processes < 1) {
            throw new IllegalArgumentException("stdoutBytes must not be negative, processes at least 1");
        }
    }

    /// As a definition states them.
    ///
    /// @param output bytes of standard output that it allows; never more than `fits`
    /// @param fits bytes that an answer may have
    /// @param cpu rounded down to whole seconds, which the kernel counts in, but never to none
    public static CommandLimits stated(
            OptionalLong output,
            long fits,
            int processes,
            OptionalLong memory,
            OptionalLong openFiles,
            OptionalLong fileSize,
            Optional<Duration> cpu,
            OptionalInt nice) {
        OptionalLong cpuSeconds =
                cpu.map(time -> OptionalLong.of(Math.max(1, time.toSeconds()))).orElse(OptionalLong.empty());
        return new CommandLimits(
                Math.min(output.orElse(fits), fits), processes, memory, openFiles, fileSize, cpuSeconds, nice);
    }

    /// Only the output is bounded, and the processes by their default.
    public static CommandLimits ofOutput(long stdoutBytes) {
        return new CommandLimits(
                stdoutBytes,
                DEFAULT_PROCESSES,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalInt.empty());
    }
}

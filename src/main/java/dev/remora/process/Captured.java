package dev.remora.process;

import java.time.Duration;

/// What a command printed, and how long it took.
///
/// @param stdout all of it, up to the limit
/// @param stderr as text, what is not UTF-8 replaced; of a long one the head and the tail
/// @param stdoutBytes how much it printed, also beyond the limit
/// @param stderrBytes likewise
/// @param took from its start until it and its output had ended
/// @param memoryRanOut whether the kernel killed a process of our cgroup for memory meanwhile; perhaps one that the
///     command started, so that it may show as its exit status 137
@SuppressWarnings("ArrayRecordComponent") // megabytes, handed on once; nobody compares them
public record Captured(
        byte[] stdout, String stderr, long stdoutBytes, long stderrBytes, Duration took, boolean memoryRanOut) {
    static final Captured NOTHING = new Captured(new byte[0], "", 0, 0, Duration.ZERO, false);

    @Override
    public String toString() {
        return "Captured[stdout " + stdoutBytes + " bytes, stderr " + stderrBytes + " bytes, " + took + "]";
    }
}

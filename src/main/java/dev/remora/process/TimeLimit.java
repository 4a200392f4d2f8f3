package dev.remora.process;

import java.time.Duration;

/// A moment at which a command must end, with what people call it. Moments are of [System#nanoTime], so that a jump
/// of the clock moves nothing.
///
/// @param name such as `the caller's deadline`, `ARGOCD_EXEC_TIMEOUT`, `limits.timeout`
/// @param given the time that this limit gave, for messages
/// @param atNanos when it fires
/// @param setting what to raise
public record TimeLimit(String name, Duration given, long atNanos, String setting) {
    /// A limit that fires `given` from `nowNanos` on.
    public static TimeLimit after(String name, Duration given, long nowNanos, String setting) {
        return new TimeLimit(name, given, nowNanos + saturated(given), setting);
    }

    /// Nanoseconds until it fires; zero or less when it has.
    long left(long nowNanos) {
        return atNanos - nowNanos;
    }

    /// Some two hundred years are enough for "never", and stay clear of overflow.
    static long saturated(Duration duration) {
        long most = Long.MAX_VALUE / 4;
        return duration.compareTo(Duration.ofNanos(most)) > 0 ? most : duration.toNanos();
    }
}

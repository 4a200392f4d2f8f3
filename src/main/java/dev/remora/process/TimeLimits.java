package dev.remora.process;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// When a command is asked to end, and when it is ended.
///
/// @param limits the nearest one fires: everything that the render started gets TERM
/// @param grace from TERM to KILL
/// @param killByNanos the moment, of [System#nanoTime], at which KILL is sent though the grace be not over: shortly
///     before the caller's deadline, so that the answer still reaches him. Does not hold once the caller has gone.
public record TimeLimits(List<TimeLimit> limits, Duration grace, OptionalLong killByNanos) {
    /// As long as it takes; TERM, when the caller goes, gives ten seconds.
    public static final TimeLimits NONE = new TimeLimits(List.of(), Duration.ofSeconds(10), OptionalLong.empty());

    public TimeLimits {
        limits = List.copyOf(limits);
        if (killByNanos.isPresent() && limits.isEmpty()) {
            throw new IllegalArgumentException("a moment to kill belongs to a limit that can be named");
        }
    }

    /// When an end is asked for: at the nearest limit, or when even KILL is due.
    Optional<Long> endNanos() {
        Optional<Long> limit = nearest().map(TimeLimit::atNanos);
        if (limit.isEmpty() || killByNanos.isEmpty()) {
            return limit;
        }
        long kill = killByNanos.getAsLong();
        return Optional.of(kill - limit.get() < 0 ? kill : limit.get());
    }

    /// When a grace that begins now is over, or KILL is due whatever the grace.
    long graceEndNanos(long now, long grace) {
        return now + (killByNanos.isPresent() ? Math.min(grace, killByNanos.getAsLong() - now) : grace);
    }

    /// The limit that fires first.
    public Optional<TimeLimit> nearest() {
        if (limits.isEmpty()) {
            return Optional.empty();
        }
        long base = limits.getFirst().atNanos();
        return limits.stream().min(Comparator.comparingLong(limit -> limit.atNanos() - base));
    }
}

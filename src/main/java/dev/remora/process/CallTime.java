package dev.remora.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The time that one call has: what its caller gave, and the server's own limits for each command.
///
/// A caller who waits until his deadline must still get an answer, so commands are asked to end a *reserve* before it,
/// and are ended 100 ms before it at the latest. (Argo CD's server has only the latter.)
///
/// @param given what the caller gave, counted from `startNanos`; empty: no deadline
public record CallTime(long startNanos, Optional<Duration> given, ExecTimeouts exec) {
    /// What Argo CD's server takes off every deadline.
    private static final Duration LAST_MOMENT = Duration.ofMillis(100);

    private static final int RESERVE_DIVISOR = 20;
    private static final Duration LEAST_RESERVE = Duration.ofMillis(150);
    private static final Duration MOST_RESERVE = Duration.ofSeconds(3);

    private static final String CALLERS_SETTING =
            "the caller's timeout (controller.repo.server.timeout.seconds in argocd-cmd-params-cm)";

    /// A call that starts now.
    public static CallTime startingNow(Optional<Duration> given, ExecTimeouts exec) {
        return new CallTime(System.nanoTime(), given, exec);
    }

    /// The limits of a command that starts now.
    ///
    /// @param pluginTimeout `remora.limits.timeout` of the definition
    public TimeLimits forCommand(Optional<Duration> pluginTimeout) {
        long now = System.nanoTime();
        List<TimeLimit> limits = new ArrayList<>();
        given.ifPresent(
                time -> limits.add(new TimeLimit("the caller's deadline", time, workEndsNanos(time), CALLERS_SETTING)));
        if (exec.honoured()) {
            limits.add(TimeLimit.after("ARGOCD_EXEC_TIMEOUT", exec.timeout(), now, "ARGOCD_EXEC_TIMEOUT"));
        }
        pluginTimeout.ifPresent(time ->
                limits.add(TimeLimit.after("limits.timeout", time, now, "remora.limits.timeout in plugin.yaml")));
        return new TimeLimits(limits, exec.fatal(), killBy());
    }

    /// What is left for work before the reserve for the answer begins; empty: no deadline.
    public Optional<Duration> left() {
        return given.map(time -> Duration.ofNanos(workEndsNanos(time) - System.nanoTime()));
    }

    private OptionalLong killBy() {
        return given.map(time -> OptionalLong.of(deadlineNanos(time) - LAST_MOMENT.toNanos()))
                .orElse(OptionalLong.empty());
    }

    private long deadlineNanos(Duration time) {
        return startNanos + TimeLimit.saturated(time);
    }

    private long workEndsNanos(Duration time) {
        return deadlineNanos(time) - (exec.honoured() ? reserve(time) : LAST_MOMENT).toNanos();
    }

    /// 5 % of the time given, at least 150 ms, at most 3 s: what TERM, KILL, reaping and the answer need.
    static Duration reserve(Duration given) {
        Duration share = given.dividedBy(RESERVE_DIVISOR);
        if (share.compareTo(LEAST_RESERVE) < 0) {
            return LEAST_RESERVE;
        }
        return share.compareTo(MOST_RESERVE) > 0 ? MOST_RESERVE : share;
    }
}

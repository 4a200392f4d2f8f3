package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallTimeTest {
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    @ParameterizedTest
    @CsvSource({"PT1S,PT0.15S", "PT3S,PT0.15S", "PT10S,PT0.5S", "PT60S,PT3S", "PT10M,PT3S"})
    void keepsAReserveForTheAnswer(Duration given, Duration reserve) {
        assertThat(CallTime.reserve(given)).isEqualTo(reserve);
    }

    @Test
    void asksForTheEndAtTheDeadlineLessTheReserveAndKillsShortlyBeforeIt() {
        CallTime time = CallTime.startingNow(Optional.of(Duration.ofSeconds(60)), ExecTimeouts.DEFAULT);

        TimeLimits limits = time.forCommand(Optional.empty());

        TimeLimit nearest = limits.nearest().orElseThrow();
        assertThat(nearest.name()).isEqualTo("the caller's deadline");
        assertThat(nearest.atNanos() - time.startNanos())
                .isEqualTo(Duration.ofSeconds(57).toNanos());
        assertThat(limits.killByNanos().orElseThrow() - time.startNanos())
                .isEqualTo(Duration.ofMillis(59_900).toNanos());
    }

    @Test
    void letsTheNearestLimitFire() {
        CallTime time = CallTime.startingNow(Optional.of(Duration.ofMinutes(10)), ExecTimeouts.DEFAULT);

        assertThat(time.forCommand(Optional.empty()).nearest())
                .map(TimeLimit::name)
                .contains("ARGOCD_EXEC_TIMEOUT");
        assertThat(time.forCommand(Optional.of(MILLISECOND)).nearest())
                .map(TimeLimit::name)
                .contains("limits.timeout");
    }

    @Test
    void hasOnlyTheDeadlineLessATenthOfASecondInArgoCdsWay() {
        ExecTimeouts ignored = new ExecTimeouts(MILLISECOND, MILLISECOND, false);
        CallTime time = CallTime.startingNow(Optional.of(Duration.ofSeconds(60)), ignored);

        TimeLimits limits = time.forCommand(Optional.empty());

        assertThat(limits.limits()).hasSize(1);
        assertThat(limits.limits().getFirst().atNanos() - time.startNanos())
                .isEqualTo(Duration.ofMillis(59_900).toNanos());
    }

    @Test
    void hasNoEndWithoutADeadline() {
        CallTime time = CallTime.startingNow(Optional.empty(), ExecTimeouts.DEFAULT);

        assertThat(time.left()).isEmpty();
        assertThat(time.forCommand(Optional.empty()).killByNanos()).isEmpty();
    }
}

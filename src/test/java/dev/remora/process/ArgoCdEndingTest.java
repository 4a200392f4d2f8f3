package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// docs/spec/processes.md, "Ending": what Argo CD's own server does, on request.
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ArgoCdEndingTest {
    private static CommandRunner runner;

    @TempDir
    private Path folder;

    private final String mark = "MARK_" + System.nanoTime();

    @BeforeAll
    static void open() {
        runner = CommandRunner.open(new ProcessSettings(
                Shell.SEARCH_PATH,
                ProcessSettings.Containment.BEST,
                ProcessSettings.Ending.AS_ARGOCD,
                false,
                ProcessSettings.CLOSE_GRACE));
    }

    @AfterAll
    static void close() {
        runner.close();
    }

    @Test
    void atTheLimitTheCommandGetsNoGraceButItsGroupDoes() {
        try (ProcessTree tree = runner.open("t", Shell.limits())) {
            Outcome outcome = tree.run(
                    Shell.script(
                            folder,
                            "sh -c 'trap \"echo group cleans up >&2; exit\" TERM; while :; do sleep 0.1; done' & "
                                    + "trap 'echo command cleans up >&2' TERM; while :; do sleep 0.1; done"),
                    Shell.within(Duration.ofMillis(300), Duration.ofSeconds(10)),
                    new Cancellation());

            assertThat(outcome).isInstanceOf(Outcome.TimedOut.class);
            assertThat(outcome.output().stderr()).contains("group cleans up\n").doesNotContain("command cleans up");
        }
    }

    @Test
    void closingEndsTheGroupAfterTheAnswerAndSparesOtherSessions() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try (ProcessTree tree = runner.open("t", Shell.limits())) {
            tree.run(
                    Shell.marked(
                            folder,
                            mark,
                            "(trap '' TERM; while :; do sleep 0.2; done) >/dev/null 2>&1 & "
                                    + "setsid sleep 20 >/dev/null 2>&1 & sleep 0.2"),
                    TimeLimits.NONE,
                    new Cancellation());
        }

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
        assertThat(Alive.bearing(mark).toString()).contains(" sh").contains(" sleep");
        while (Alive.bearing(mark).toString().contains(" sh")) {
            Thread.sleep(100);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isBetween(Duration.ofMillis(4900), Duration.ofSeconds(9));
        assertThat(Alive.bearing(mark)).hasSize(1);
    }
}

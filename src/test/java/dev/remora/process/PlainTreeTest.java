package dev.remora.process;

import static dev.remora.process.Shell.script;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The same outcomes without containment, as on systems that are not Linux.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PlainTreeTest {
    private final CommandRunner runner = CommandRunner.open(new ProcessSettings(
            Shell.SEARCH_PATH,
            ProcessSettings.Containment.NONE,
            ProcessSettings.Ending.WHOLE_TREE,
            true,
            ProcessSettings.CLOSE_GRACE));
    private final ProcessTree tree = runner.open("t", Shell.limits());

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        tree.close();
        runner.close();
    }

    @Test
    void saysThatNothingIsContained() {
        assertThat(runner.contained()).isFalse();
        assertThat(runner.describe()).contains("no containment");
    }

    @Test
    void givesWhatACommandPrintsAndItsStatus() {
        Outcome outcome = run("cat; echo out; echo err >&2; exit 7");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Exited.class,
                        exited -> assertThat(exited.status()).isEqualTo(7));
        assertThat(Shell.stdout(outcome)).isEqualTo("out\n");
        assertThat(outcome.output().stderr()).isEqualTo("err\n");
    }

    @Test
    void asksToEndAtTheLimitAndHearsTheCleanUp() {
        Outcome outcome = tree.run(
                script(folder, "trap 'echo cleaned up >&2; exit' TERM; while :; do sleep 0.05; done"),
                Shell.within(Duration.ofSeconds(2), Duration.ofSeconds(10)),
                new Cancellation());

        assertThat(outcome).isInstanceOf(Outcome.TimedOut.class);
        assertThat(outcome.output().stderr()).contains("cleaned up");
    }

    @Test
    void endsWhatIgnoresTheRequest() {
        Outcome outcome = tree.run(
                script(folder, "trap '' TERM; while :; do sleep 0.1; done"),
                Shell.within(Duration.ofMillis(100), Duration.ofMillis(200)),
                new Cancellation());

        assertThat(outcome).isInstanceOf(Outcome.TimedOut.class);
        assertThat(ProcessHandle.current().descendants().filter(PlainTreeTest::isShell))
                .isEmpty();
    }

    @Test
    void endsACommandThatPrintsTooMuch() {
        Outcome outcome = run("exec yes");

        assertThat(outcome).isInstanceOf(Outcome.OutputTooLarge.class);
        assertThat(outcome.output().stdout()).hasSize((int) Shell.MEBI);
    }

    @Test
    void anInterruptedCallerCancelsAndStaysInterrupted() throws InterruptedException {
        Outcome[] outcome = new Outcome[1];
        boolean[] interrupted = new boolean[1];
        Thread caller = Thread.ofPlatform().start(() -> {
            outcome[0] = run("sleep 300");
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        Thread.sleep(300);

        caller.interrupt();

        caller.join();
        assertThat(outcome[0]).isInstanceOf(Outcome.Cancelled.class);
        assertThat(interrupted[0]).isTrue();
    }

    @Test
    void refusesWhatCannotBeFound() {
        assertThat(tree.run(Shell.command(folder, "no-such-tool"), TimeLimits.NONE, new Cancellation()))
                .isInstanceOfSatisfying(
                        Outcome.NotStarted.class,
                        failure -> assertThat(failure.cause())
                                .isEqualTo("exec: \"no-such-tool\": executable file not found in $PATH"));
        assertThat(tree.run(Shell.command(folder, "./missing"), TimeLimits.NONE, new Cancellation()))
                .isInstanceOf(Outcome.NotStarted.class);
    }

    private static boolean isShell(ProcessHandle process) {
        return process.info().command().filter(path -> path.endsWith("sh")).isPresent();
    }

    private Outcome run(String script) {
        TimeLimits time = Shell.within(Duration.ofSeconds(30), Duration.ofSeconds(1));
        return tree.run(script(folder, script), time, new Cancellation());
    }
}

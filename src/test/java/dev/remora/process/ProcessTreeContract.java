package dev.remora.process;

import static dev.remora.process.Shell.limits;
import static dev.remora.process.Shell.script;
import static dev.remora.process.Shell.stdout;
import static dev.remora.process.Shell.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What holds for a render's processes, however they are told from others.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
interface ProcessTreeContract {
    String DAEMON = "(setsid sh -c 'sleep 300 & exec sleep 301' >/dev/null 2>&1 &) ; sleep 0.3";

    CommandRunner runner();

    @Test
    default void givesWhatACommandPrintsAndItsStatus(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome outcome =
                    tree.run(script(folder, "echo out; echo err >&2; exit 7"), TimeLimits.NONE, new Cancellation());

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Exited.class,
                            exited -> assertThat(exited.status()).isEqualTo(7));
            assertThat(stdout(outcome)).isEqualTo("out\n");
            assertThat(outcome.output().stderr()).isEqualTo("err\n");
        }
    }

    @Test
    default void runsInASessionOfItsOwnWithEmptyInputAndNoOtherDescriptor(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome outcome = tree.run(
                    script(
                            folder,
                            "cat; ps -o pid=,pgid=,sid= -p $$ | tr -s ' '; ls /proc/self/fd | tr '\\n' ' '; pwd"),
                    TimeLimits.NONE,
                    new Cancellation());

            List<String> lines = stdout(outcome).lines().toList();
            assertThat(List.of(lines.get(0).trim().split(" ")))
                    .hasSize(3)
                    .allSatisfy(number ->
                            assertThat(number).isEqualTo(lines.get(0).strip().replaceFirst(" .*", "")));
            assertThat(lines.get(1)).startsWith("0 1 2 3 ").endsWith(folder.toString());
        }
    }

    /// Everything that is known to outlive a kill of the process group.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 300 >/dev/null 2>&1 &",
                "nohup sleep 300 >/dev/null 2>&1 &",
                "setsid sleep 300 >/dev/null 2>&1 &",
                "(setsid sh -c 'sleep 300 & exec sleep 300' >/dev/null 2>&1 &)",
                "trap '' TERM; setsid sh -c 'trap \"\" TERM; while :; do sleep 300; done' >/dev/null 2>&1 & :",
                "(while :; do (sleep 300 &) ; sleep 0.01; done) >/dev/null 2>&1 &",
                "trap '' HUP TERM; (setsid sh -c 'while :; do (setsid sleep 300 &); sleep 0.01; done' >/dev/null 2>&1 &)"
            })
    default void nothingOutlivesTheTree(String script, @TempDir Path folder) throws IOException {
        String mark = "MARK_" + System.nanoTime();
        Command command = Shell.marked(folder, mark, script);

        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome outcome = tree.run(command, TimeLimits.NONE, new Cancellation());
            assertThat(outcome).isInstanceOf(Outcome.Exited.class);
            assertThat(Alive.bearing(mark)).isNotEmpty();
        }

        assertThat(Alive.bearing(mark)).isEmpty();
    }

    @Test
    default void whatInitLeavesRunningServesGenerate(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            tree.run(
                    script(folder, "mkfifo pipe; (echo from-the-background > pipe) >/dev/null 2>&1 &"),
                    TimeLimits.NONE,
                    new Cancellation());

            Outcome outcome = tree.run(script(folder, "cat pipe"), TimeLimits.NONE, new Cancellation());

            assertThat(stdout(outcome)).isEqualTo("from-the-background\n");
        }
    }

    @Test
    default void asksToEndAtTheLimitAndHearsTheCleanUp(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            long begun = System.nanoTime();
            Outcome outcome = tree.run(
                    script(folder, "trap 'sleep 0.2; echo cleanup completed >&2; exit 3' TERM; sleep 300"),
                    within(Duration.ofMillis(300), Duration.ofSeconds(10)),
                    new Cancellation());

            assertThat(outcome).isInstanceOfSatisfying(Outcome.TimedOut.class, timedOut -> {
                assertThat(timedOut.limit().name()).isEqualTo("limits.timeout");
                assertThat(timedOut.heldOpen()).isEmpty();
            });
            assertThat(outcome.output().stderr()).contains("cleanup completed");
            assertThat(System.nanoTime() - begun)
                    .isLessThan(Duration.ofSeconds(5).toNanos());
        }
    }

    @Test
    default void endsWhatIgnoresTheRequestWhenTheGraceIsOver(@TempDir Path folder) throws IOException {
        String mark = "MARK_" + System.nanoTime();
        try (ProcessTree tree = runner().open("t", limits())) {
            long begun = System.nanoTime();
            Outcome outcome = tree.run(
                    Shell.marked(folder, mark, "trap '' TERM; (setsid sleep 300 &); while :; do sleep 1; done"),
                    within(Duration.ofMillis(200), Duration.ofMillis(300)),
                    new Cancellation());

            assertThat(outcome).isInstanceOf(Outcome.TimedOut.class);
            assertThat(Alive.bearing(mark)).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(Duration.ofMillis(450), Duration.ofSeconds(5));
        }
    }

    @Test
    default void cancellingEndsTheCommand(@TempDir Path folder) throws InterruptedException {
        try (ProcessTree tree = runner().open("t", limits())) {
            Cancellation cancellation = new Cancellation();
            Thread canceller = Thread.ofVirtual().start(() -> {
                sleep(300);
                cancellation.cancel("the caller went away");
            });

            Outcome outcome = tree.run(script(folder, "sleep 300"), TimeLimits.NONE, cancellation);

            canceller.join();
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Cancelled.class,
                            cancelled -> assertThat(cancelled.reason()).isEqualTo("the caller went away"));
        }
    }

    @Test
    default void anInterruptedCallerCancelsAndStaysInterrupted(@TempDir Path folder) throws InterruptedException {
        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome[] outcome = new Outcome[1];
            boolean[] interrupted = new boolean[1];
            Thread caller = Thread.ofVirtual().start(() -> {
                outcome[0] = tree.run(script(folder, "sleep 300"), TimeLimits.NONE, new Cancellation());
                interrupted[0] = Thread.currentThread().isInterrupted();
            });
            Thread.sleep(300);

            caller.interrupt();

            caller.join();
            assertThat(outcome[0]).isInstanceOf(Outcome.Cancelled.class);
            assertThat(interrupted[0]).isTrue();
        }
    }

    @Test
    default void nothingIsLeftToWaitForAfterTheMomentToKill(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            long begun = System.nanoTime();
            TimeLimit limit = TimeLimit.after("the caller's deadline", Duration.ofMillis(300), begun, "timeout");
            OptionalLong kill = OptionalLong.of(begun + Duration.ofMillis(500).toNanos());

            Outcome outcome = tree.run(
                    script(folder, "trap '' TERM; while :; do sleep 1; done"),
                    new TimeLimits(List.of(limit), Duration.ofMinutes(1), kill),
                    new Cancellation());

            assertThat(outcome).isInstanceOf(Outcome.TimedOut.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(Duration.ofMillis(490), Duration.ofSeconds(5));
        }
    }

    @Test
    default void aKilledCommandIsToldAtOnceThoughAnotherHoldsItsOutput(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            long begun = System.nanoTime();
            Outcome outcome = tree.run(
                    script(folder, "sleep 300 & echo out; kill -KILL $$"),
                    within(Duration.ofSeconds(40), Duration.ofSeconds(1)),
                    new Cancellation());

            assertThat(outcome).isInstanceOf(Outcome.Signalled.class);
            assertThat(stdout(outcome)).isEqualTo("out\n");
            assertThat(System.nanoTime() - begun)
                    .isLessThan(Duration.ofSeconds(20).toNanos());
        }
    }

    @Test
    default void tellsASignalFromOutside(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome outcome = tree.run(script(folder, "kill -KILL $$"), TimeLimits.NONE, new Cancellation());

            assertThat(outcome).isInstanceOfSatisfying(Outcome.Signalled.class, signalled -> {
                assertThat(signalled.signal()).isEqualTo(9);
                assertThat(signalled.outOfMemory()).isFalse();
            });
        }
    }

    @Test
    default void endsACommandThatPrintsTooMuch(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome outcome = tree.run(script(folder, "yes"), TimeLimits.NONE, new Cancellation());

            assertThat(outcome).isInstanceOf(Outcome.OutputTooLarge.class);
            assertThat(outcome.output().stdout()).hasSize((int) Shell.MEBI);
            assertThat(outcome.output().stdoutBytes()).isGreaterThan(Shell.MEBI);
        }
    }

    @Test
    default void anOutputHeldOpenByTheBackgroundIsAwaitedUntilItEnds(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome outcome = tree.run(
                    script(folder, "echo first; (sleep 0.5; echo second) &"),
                    within(Duration.ofSeconds(20), Duration.ofSeconds(1)),
                    new Cancellation());

            assertThat(outcome).isInstanceOf(Outcome.Exited.class);
            assertThat(stdout(outcome)).isEqualTo("first\nsecond\n");
        }
    }

    @Test
    default void anOutputHeldOpenForEverIsAnErrorThatNamesTheHolder(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome outcome = tree.run(
                    script(folder, "echo first; sleep 300 &"),
                    within(Duration.ofMillis(500), Duration.ofSeconds(1)),
                    new Cancellation());

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.TimedOut.class,
                            timedOut -> assertThat(timedOut.heldOpen())
                                    .hasValueSatisfying(
                                            holder -> assertThat(holder).startsWith("sleep (process ")));
            assertThat(stdout(outcome)).isEqualTo("first\n");
        }
    }

    @Test
    default void aLimitThatHasPassedStartsNothing(@TempDir Path folder) {
        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome outcome = tree.run(
                    script(folder, "touch started"), within(Duration.ZERO, Duration.ofSeconds(1)), new Cancellation());

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.TimedOut.class,
                            timedOut -> assertThat(timedOut.started()).isFalse());
            assertThat(folder.resolve("started")).doesNotExist();
        }
    }

    @Test
    default void twoTreesDoNotTouchOneAnother(@TempDir Path folder) throws IOException {
        String markA = "MARKA_" + System.nanoTime();
        String markB = "MARKB_" + System.nanoTime();
        ProcessTree a = runner().open("a", limits());
        try (ProcessTree b = runner().open("b", limits())) {
            a.run(Shell.marked(folder, markA, DAEMON), TimeLimits.NONE, new Cancellation());
            b.run(Shell.marked(folder, markB, DAEMON), TimeLimits.NONE, new Cancellation());
            assertThat(Alive.bearing(markA)).hasSize(2);

            a.close();

            assertThat(Alive.bearing(markA)).isEmpty();
            assertThat(Alive.bearing(markB)).hasSize(2);
        }
        assertThat(Alive.bearing(markB)).isEmpty();
    }

    @Test
    default void aRenderWithTooManyProcessesIsEndedWhole(@TempDir Path folder) throws IOException {
        String mark = "MARK_" + System.nanoTime();
        CommandLimits few = new CommandLimits(
                Shell.MEBI,
                40,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalInt.empty());
        try (ProcessTree tree = runner().open("t", few)) {
            Outcome outcome = tree.run(
                    Shell.marked(folder, mark, "for i in $(seq 100); do setsid sleep 300 & done; wait"),
                    within(Duration.ofSeconds(20), Duration.ofSeconds(5)),
                    new Cancellation());

            assertThat(outcome).isEqualTo(new Outcome.TooManyProcesses(40, outcome.output()));
            assertThat(Alive.bearing(mark)).isEmpty();
        }
    }

    @Test
    default void namesAndValuesAreBytes(@TempDir Path folder) throws IOException {
        byte[] odd = {'a', (byte) 0xff, (byte) 0xc3, '\n', 'z'};
        Command command = new Command(
                List.of(
                        Bytes.utf8("sh"),
                        Bytes.utf8("-c"),
                        Bytes.utf8("printf %s \"$1$V\"; mkdir \"$1\"; cd \"$1\"; pwd"),
                        Bytes.utf8("sh"),
                        Bytes.of(odd)),
                List.of(Bytes.utf8("PATH=/usr/bin:/bin"), Bytes.utf8("V=").plus(Bytes.of(odd))),
                Bytes.utf8(folder.toString()));
        try (ProcessTree tree = runner().open("t", limits())) {
            Outcome outcome = tree.run(command, TimeLimits.NONE, new Cancellation());

            Bytes printed = Bytes.of(outcome.output().stdout());
            assertThat(printed.startsWith(Bytes.of(odd).plus(Bytes.of(odd)))).isTrue();

            Bytes oddFolder = Bytes.utf8(folder.toString()).slash(Bytes.of(odd));
            Outcome inside = tree.run(
                    new Command(List.of(Bytes.utf8("pwd")), command.environment(), oddFolder),
                    TimeLimits.NONE,
                    new Cancellation());
            assertThat(Bytes.of(inside.output().stdout())).isEqualTo(oddFolder.plus(Bytes.utf8("\n")));
        }
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

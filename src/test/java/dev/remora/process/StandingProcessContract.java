package dev.remora.process;

import static dev.remora.process.Shell.within;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What holds for a process that stays, however its processes are told from others.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
interface StandingProcessContract {
    String ECHO = "while read -r line; do echo \"$line!\"; done";
    long MOST = 100_000;

    CommandRunner runner();

    default StandingProcess stand(Path folder, String script) {
        return stand(folder, "MARK_NONE", script, Shell.limits(), new CompletableFuture<>());
    }

    default StandingProcess stand(
            Path folder, String mark, String script, CommandLimits limits, CompletableFuture<Answer.Gone> gone) {
        return runner().stand("t", limits, Shell.marked(folder, mark, script), gone::complete)
                .orElseThrow();
    }

    static Question question(String line) {
        return question(line, TimeLimits.NONE, new Cancellation());
    }

    static Question question(String line, TimeLimits time, Cancellation cancellation) {
        byte[] cancel = "cancel\n".getBytes(StandardCharsets.UTF_8);
        return new Question((line + "\n").getBytes(StandardCharsets.UTF_8), cancel, MOST, MOST, time, cancellation);
    }

    static String text(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Line.class);
        return new String(((Answer.Line) answer).text(), StandardCharsets.UTF_8);
    }

    @Test
    default void answersEachQuestionFromOneProcess(@TempDir Path folder) {
        try (StandingProcess process = stand(folder, "while read -r line; do echo \"$line $$\"; done")) {
            String first = text(process.ask(question("one")));
            String second = text(process.ask(question("two")));

            assertThat(first).startsWith("one ");
            assertThat(second).isEqualTo("two " + first.substring(4));
            assertThat(process.gone()).isEmpty();
        }
    }

    @Test
    default void tellsHowMuchMemoryItHolds(@TempDir Path folder) {
        try (StandingProcess process = stand(folder, ECHO)) {
            assertThat(process.ask(question("one")))
                    .isInstanceOfSatisfying(
                            Answer.Line.class,
                            line -> assertThat(line.residentBytes()).isBetween(100_000L, 50_000_000L));
        }
    }

    @Test
    default void passesQuestionsThatAPipeCannotHold(@TempDir Path folder) {
        String big = "x".repeat(200_000);
        try (StandingProcess process = stand(folder, "while read -r line; do echo ${#line}; done")) {
            assertThat(text(process.ask(question(big)))).isEqualTo("200000");
        }
    }

    @Test
    default void givesWhatItSaidMeanwhileAndNotWhatItSaidBetweenQuestions(@TempDir Path folder) throws Exception {
        String script = "echo starting >&2; while read -r line; do echo \"about $line\" >&2; echo ok;"
                + " while [ ! -e go ]; do :; done; echo between >&2; : >said; done";
        try (StandingProcess process = stand(folder, script)) {
            Answer first = process.ask(question("one"));
            Files.createFile(folder.resolve("go"));
            while (!Files.exists(folder.resolve("said"))) {
                Thread.sleep(5);
            }
            Thread.sleep(50);
            Files.delete(folder.resolve("go"));
            Answer second = process.ask(question("two"));

            assertThat(((Answer.Line) first).stderr()).isEqualTo("starting\nabout one\n");
            assertThat(((Answer.Line) second).stderr()).isEqualTo("about two\n");
        }
    }

    /// The last opens a session of its own and loses its parent.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 300 >/dev/null 2>&1 &",
                "nohup sleep 300 >/dev/null 2>&1 &",
                "(trap '' TERM; while :; do sleep 300; done) >/dev/null 2>&1 &",
                "setsid sh -c 'trap \"\" TERM; sleep 300 & while :; do sleep 300; done' >/dev/null 2>&1 &",
                "(setsid sh -c 'sleep 300 & exec sleep 300' >/dev/null 2>&1 &)",
            })
    default void whatItStartedForAQuestionIsGoneWithTheAnswerAndItStays(String leaving, @TempDir Path folder)
            throws IOException {
        String mark = "MARK_" + System.nanoTime();
        String script = "while read -r line; do [ $line = two ] || { " + leaving + "\n }; sleep 0.1; echo $$; done";

        try (StandingProcess process = stand(folder, mark, script, Shell.limits(), new CompletableFuture<>())) {
            String first = text(process.ask(question("one")));
            assertThat(Alive.bearing(mark)).containsExactly(first + " sh");

            assertThat(text(process.ask(question("two")))).isEqualTo(first);
        }

        assertThat(Alive.bearing(mark)).isEmpty();
    }

    @Test
    default void isGoneWithAllItStartedWhenItEndsBeforeItsAnswer(@TempDir Path folder) throws Exception {
        String mark = "MARK_" + System.nanoTime();
        CompletableFuture<Answer.Gone> gone = new CompletableFuture<>();
        String script = "read -r line; (setsid sleep 300 >/dev/null 2>&1 &); sleep 0.1; echo oh >&2; exit 7";

        try (StandingProcess process = stand(folder, mark, script, Shell.limits(), gone)) {
            Answer answer = process.ask(question("one"));

            assertThat(answer).isEqualTo(new Answer.Gone(Answer.Why.ENDED, "it ended with exit status 7", "oh\n"));
            assertThat(Alive.bearing(mark)).isEmpty();
            assertThat(gone.get()).isEqualTo(answer);
            assertThat(process.ask(question("two"))).isEqualTo(answer);
        }
    }

    @Test
    default void anAnswerThatIsItsLastCounts(@TempDir Path folder) {
        try (StandingProcess process = stand(folder, "read -r line; echo last")) {
            assertThat(text(process.ask(question("one")))).isEqualTo("last");
            assertThat(process.ask(question("two"))).isInstanceOf(Answer.Gone.class);
        }
    }

    @Test
    default void tellsWhenItEndsBetweenQuestions(@TempDir Path folder) throws Exception {
        CompletableFuture<Answer.Gone> gone = new CompletableFuture<>();
        try (StandingProcess process = stand(folder, "M", "exit 3", Shell.limits(), gone)) {
            assertThat(gone.get().how()).isEqualTo("it ended with exit status 3");
            assertThat(process.gone()).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo unasked; cat >/dev/null", "read -r line; echo one; echo two; cat >/dev/null"})
    default void isEndedWhenItSpeaksOutOfTurn(String script, @TempDir Path folder) throws Exception {
        CompletableFuture<Answer.Gone> gone = new CompletableFuture<>();
        try (StandingProcess process = stand(folder, "M", script, Shell.limits(), gone)) {
            if (script.startsWith("read")) {
                Answer _ = process.ask(question("one"));
            }
            assertThat(gone.get().why()).isEqualTo(Answer.Why.OUT_OF_TURN);
        }
    }

    @Test
    default void saysWhyItDidNotStart(@TempDir Path folder) {
        Command command = Shell.command(folder, "no-such-program");
        try (StandingProcess process =
                runner().stand("t", Shell.limits(), command, _ -> {}).orElseThrow()) {
            assertThat(process.ask(question("one"))).isInstanceOfSatisfying(Answer.Gone.class, gone -> {
                assertThat(gone.why()).isEqualTo(Answer.Why.NOT_STARTED);
                assertThat(gone.how()).contains("executable file not found in $PATH");
            });
        }
    }

    @Test
    default void isAskedToGiveUpAtALimitAndStaysIfItDoes(@TempDir Path folder) {
        String script = "while read -r line; do case $line in slow) read -r next; echo \"gave up: $next\";;"
                + " *) echo \"$line\";; esac; done";
        try (StandingProcess process = stand(folder, script)) {
            TimeLimits time = within(Duration.ofMillis(200), Duration.ofSeconds(20));

            Answer answer = process.ask(question("slow", time, new Cancellation()));

            assertThat(text(answer)).isEqualTo("gave up: cancel");
            assertThat(((Answer.Line) answer).late())
                    .hasValueSatisfying(late -> assertThat(late).isInstanceOf(Outcome.TimedOut.class));
            assertThat(text(process.ask(question("next")))).isEqualTo("next");
        }
    }

    @Test
    default void isEndedWhenItDoesNotGiveUp(@TempDir Path folder) throws Exception {
        String mark = "MARK_" + System.nanoTime();
        String script = "trap '' TERM; read -r line; sleep 300 & while :; do sleep 1; done";
        Cancellation cancellation = new Cancellation();
        CompletableFuture<Answer.Gone> gone = new CompletableFuture<>();
        try (StandingProcess process = stand(folder, mark, script, Shell.limits(), gone)) {
            TimeLimits time = within(Duration.ofMinutes(5), Duration.ofMillis(600));
            CompletableFuture<Answer> answer =
                    CompletableFuture.supplyAsync(() -> process.ask(question("one", time, cancellation)));
            Thread.sleep(300);

            cancellation.cancel("the caller went away");

            assertThat(answer.get())
                    .isInstanceOfSatisfying(
                            Answer.Stopped.class,
                            stopped -> assertThat(stopped.outcome()).isInstanceOf(Outcome.Cancelled.class));
            assertThat(Alive.bearing(mark)).isEmpty();
            assertThat(gone.get().why()).isEqualTo(Answer.Why.CLOSED);
        }
    }

    /// Its input is full, so no line that asks to give up would reach it.
    @Test
    default void isEndedAtALimitWhenItDoesNotEvenRead(@TempDir Path folder) throws IOException {
        String mark = "MARK_" + System.nanoTime();
        try (StandingProcess process = stand(folder, mark, "sleep 300", Shell.limits(), new CompletableFuture<>())) {
            TimeLimits time = within(Duration.ofMillis(200), Duration.ofSeconds(20));

            Answer answer = process.ask(question("x".repeat(1_000_000), time, new Cancellation()));

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Stopped.class,
                            stopped -> assertThat(stopped.outcome()).isInstanceOf(Outcome.TimedOut.class));
            assertThat(Alive.bearing(mark)).isEmpty();
        }
    }

    @Test
    default void isEndedWhenItsAnswerHasNoEnd(@TempDir Path folder) {
        try (StandingProcess process = stand(folder, "read -r line; tr '\\0' x </dev/zero")) {
            assertThat(process.ask(question("one")))
                    .isInstanceOfSatisfying(
                            Answer.Stopped.class,
                            stopped -> assertThat(stopped.outcome())
                                    .isInstanceOfSatisfying(
                                            Outcome.OutputTooLarge.class,
                                            large -> assertThat(large.limit()).isEqualTo(MOST)));
        }
    }

    @Test
    default void isEndedWhenItHasTooManyProcesses(@TempDir Path folder) throws IOException {
        String mark = "MARK_" + System.nanoTime();
        CommandLimits few = CommandLimits.stated(
                java.util.OptionalLong.empty(),
                MOST,
                5,
                java.util.OptionalLong.empty(),
                java.util.OptionalLong.empty(),
                java.util.OptionalLong.empty(),
                Optional.empty(),
                java.util.OptionalInt.empty());
        String script = "read -r line; for i in 1 2 3 4 5 6 7 8; do sleep 300 & done; wait";
        try (StandingProcess process = stand(folder, mark, script, few, new CompletableFuture<>())) {
            assertThat(process.ask(question("one")))
                    .isInstanceOfSatisfying(
                            Answer.Stopped.class,
                            stopped -> assertThat(stopped.outcome()).isInstanceOf(Outcome.TooManyProcesses.class));
            assertThat(Alive.bearing(mark)).isEmpty();
        }
    }

    @Test
    default void hearsTheEndOfItsInputBeforeItIsEnded(@TempDir Path folder) {
        StandingProcess process = stand(folder, ECHO + "; touch heard");
        assertThat(text(process.ask(question("one")))).isEqualTo("one!");

        process.close();

        assertThat(folder.resolve("heard")).exists();
    }
}

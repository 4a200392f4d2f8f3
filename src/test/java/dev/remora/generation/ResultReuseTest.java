package dev.remora.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.cache.ReuseReport;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.ManifestDocument;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.ExecTimeouts;
import dev.remora.process.ToolIdentity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ResultReuseTest {
    private static final PluginDefinition PLUGIN =
            Rendering.plugin("spec: {generate: {command: [cat]}}\nremora: {cache: {results: true}}\n");
    private static final GeneratedManifests ANSWER =
            new GeneratedManifests(List.of(new ManifestDocument(new byte[100], 1, 1, 1)), "");

    private final List<String> made = new ArrayList<>();
    private final Cancellation cancellation = new Cancellation();
    private final ResultReuse memory = new ResultReuse(
            1 << 20, new CommandEnvironment(List.of()), new ToolIdentity(Bytes.EMPTY), System::nanoTime);

    @Test
    void anArchiveThatWasSeenHasItsAnswerAtOnce() {
        assertThat(of("sum", "default").known()).isEmpty();
        answer(of("sum", "default"), Optional.of("inputs"), "first");

        ReuseOfCall next = of("sum", "default");
        assertThat(next.known()).contains(ANSWER);
        assertThat(next.report().outcome()).isEqualTo(ReuseReport.Outcome.HIT);
        assertThat(made).containsExactly("first");
    }

    @Test
    void anotherArchiveWithTheSameInputsToo() {
        answer(of("sum", "default"), Optional.of("inputs"), "first");
        ReuseOfCall other = of("other sum", "default");

        assertThat(other.known()).isEmpty();
        answer(other, Optional.of("inputs"), "second");

        assertThat(other.report().outcome()).isEqualTo(ReuseReport.Outcome.HIT);
        assertThat(made).containsExactly("first");
    }

    @Test
    void aLentTreeNeedsNoDigestOfItsOwn() {
        answer(of("sum", "default"), Optional.of("inputs"), "first");
        answer(of("sum", "default"), Optional.empty(), "second");
        assertThat(made).containsExactly("first");

        ReuseOfCall unknown = of("never seen", "default");
        answer(unknown, Optional.empty(), "third");
        assertThat(unknown.report().reason()).isEqualTo("unread");
        assertThat(made).containsExactly("first", "third");
    }

    @Test
    void anotherAppProjectGetsItsOwn() {
        answer(of("sum", "one"), Optional.of("inputs"), "one");
        answer(of("sum", "two"), Optional.of("inputs"), "two");

        assertThat(made).containsExactly("one", "two");
    }

    @Test
    void anAnswerThatNobodyWaitedForIsNotKept() {
        answer(of("sum", "default"), Optional.of("inputs"), () -> {
            made.add("cancelled");
            cancellation.cancel("the caller went away");
            return ANSWER;
        });

        assertThat(of("sum", "default").known()).isEmpty();
        assertThat(memory.kept()).isZero();
    }

    @Test
    void anAnswerThatDoesNotFitAReplyIsNotKept() {
        ReuseOfCall call = of("sum", "default");

        GeneratedManifests answer =
                call.answer(Optional.of("inputs"), time(), cancellation, each -> false, () -> ANSWER);

        assertThat(answer).isEqualTo(ANSWER);
        assertThat(memory.kept()).isZero();
        assertThat(call.report().detail()).contains("not kept");
    }

    @Test
    void whoWaitsForOneThatFailsMakesItsOwn() throws Exception {
        CountDownLatch leading = new CountDownLatch(1);
        CountDownLatch failing = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> leader = threads.submit(() -> answer(of("sum", "default"), Optional.of("inputs"), () -> {
                leading.countDown();
                awaited(failing);
                throw new Fault(FaultCode.COMMAND_FAILED, "broken");
            }));
            leading.await();
            Future<GeneratedManifests> follower =
                    threads.submit(() -> answer(of("sum", "default"), Optional.of("inputs"), "second"));
            failing.countDown();

            assertThatThrownBy(leader::get).hasMessageContaining("broken");
            assertThat(follower.get()).isEqualTo(ANSWER);
        }
        assertThat(made).containsExactly("second");
        assertThat(memory.kept()).isEqualTo(1);
    }

    @Test
    void whoseCallerLeavesIsNotHeldByAnotherRender() throws Exception {
        CountDownLatch leading = new CountDownLatch(1);
        CountDownLatch ending = new CountDownLatch(1);
        Cancellation follower = new Cancellation();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> leader = threads.submit(() -> answer(of("sum", "default"), Optional.of("inputs"), () -> {
                leading.countDown();
                awaited(ending);
                return ANSWER;
            }));
            leading.await();
            Future<GeneratedManifests> waiting = threads.submit(() -> of("sum", "default")
                    .answer(Optional.of("inputs"), time(), follower, each -> true, () -> {
                        throw new Fault(FaultCode.CALL_CANCELLED, "gone");
                    }));
            follower.cancel("the caller went away");

            assertThatThrownBy(waiting::get).hasMessageContaining("gone");
            ending.countDown();
            leader.get();
        }
    }

    @Test
    void theSwitchOfAnApplicationIsTheLastOne() {
        assertThat(NoCache.asked(environment("REMORA_NO_CACHE", "1"))).contains("REMORA_NO_CACHE");
        assertThat(NoCache.asked(environment("ARGOCD_ENV_REMORA_NO_CACHE", "true")))
                .isPresent();
        assertThat(NoCache.asked(environment("REMORA_NO_CACHE", "1", "ARGOCD_ENV_REMORA_NO_CACHE", "0")))
                .isEmpty();
        assertThat(NoCache.asked(environment("REMORA_NO_CACHE", ""))).isEmpty();
        assertThat(NoCache.asked(environment("OTHER", "1"))).isEmpty();
    }

    private static List<EnvironmentVariable> environment(String... pairs) {
        List<EnvironmentVariable> all = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            all.add(EnvironmentVariable.of(pairs[i], pairs[i + 1]));
        }
        return all;
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private ReuseOfCall of(String checksum, String project) {
        return memory.of(new ReuseQuestion(PLUGIN, "app", project, Bytes.utf8("."), checksum, List.of()));
    }

    private GeneratedManifests answer(ReuseOfCall call, Optional<String> inputs, String name) {
        return answer(call, inputs, () -> {
            made.add(name);
            return ANSWER;
        });
    }

    private GeneratedManifests answer(ReuseOfCall call, Optional<String> inputs, Supplier<GeneratedManifests> work) {
        return call.answer(inputs, time(), cancellation, each -> true, work);
    }

    private static CallTime time() {
        return CallTime.startingNow(
                Optional.of(Duration.ofSeconds(30)),
                new ExecTimeouts(Duration.ofSeconds(90), Duration.ofSeconds(1), true));
    }
}

package dev.remora.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandLimits;
import dev.remora.process.CommandRunner;
import dev.remora.process.Outcome;
import dev.remora.process.ProcessSettings;
import dev.remora.process.TimeLimit;
import dev.remora.process.TimeLimits;
import dev.remora.sandbox.Fence;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.Meters.Count;
import dev.remora.testing.NeedsTool;
import dev.remora.testing.Tools;
import dev.remora.worker.WorkerSpec.Bounds;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.WorkRootOptions;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Who gets which worker, and when it ends. Real processes, by a script that does what its arguments say.
@EnabledOnOs(OS.LINUX)
@NeedsTool("python3")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WorkerPoolTest {
    private static final Path SCRIPT =
            Path.of("src/test/resources/worker/fake-worker.py").toAbsolutePath();
    private static final Bounds USUAL = new Bounds(1000, Duration.ofMinutes(10), OptionalLong.empty(), 256L << 20);
    private static final WorkerKey SHOP = new WorkerKey("shop", "digest-1");
    private static final WorkerKey BANK = new WorkerKey("bank", "digest-1");
    private static final long MOST = 1 << 20;

    private final Figures figures = new Figures();

    @TempDir
    Path folder;

    private CommandRunner runner;
    private WorkRoot root;
    private WorkerPool pool;

    @BeforeEach
    void open() {
        runner = CommandRunner.open(ProcessSettings.standard(Bytes.utf8(Tools.path())));
        root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(folder.toString()), fault -> {
            throw fault;
        }));
        pool = new WorkerPool(runner, root, Log.silent(), figures.meters);
    }

    @AfterEach
    void close() {
        pool.close();
        root.close();
        runner.close();
    }

    private static WorkerSpec spec(Bounds bounds, int max, String... more) {
        var command = new java.util.ArrayList<>(List.of("python3", SCRIPT.toString()));
        command.addAll(List.of(more));
        return new WorkerSpec(
                "p",
                command.stream().map(Bytes::utf8).toList(),
                _ -> new WorkerSpec.Surroundings(List.of(Bytes.utf8("PATH=" + Tools.path())), Fence.OPEN),
                CommandLimits.ofOutput(MOST),
                bounds,
                max);
    }

    private static WorkRequest request(String... arguments) {
        return new WorkRequest(
                List.of(arguments),
                List.of(Bytes.utf8("A=b=ü\n\"")),
                Bytes.utf8("/w/tree"),
                Bytes.utf8("/w/tree/app"),
                0);
    }

    private Optional<Outcome> ask(WorkerKey key, WorkerSpec spec, String... arguments) {
        try (WorkerLease lease = pool.lend(key, spec)) {
            return ask(lease, TimeLimits.NONE, arguments);
        }
    }

    private static Optional<Outcome> ask(WorkerLease lease, TimeLimits time, String... arguments) {
        return lease.ask(request(arguments), time, new Cancellation(), MOST).map(WorkerResult.Ran::outcome);
    }

    private static YamlNode.Mapping facts(Optional<Outcome> outcome) {
        assertThat(outcome).isPresent();
        return (YamlNode.Mapping) new JsonReader("facts", FaultCode.INTERNAL)
                .read(outcome.get().output().stdout());
    }

    private static String pid(Optional<Outcome> outcome) {
        return ((YamlNode.Number) facts(outcome).get("pid").orElseThrow()).json();
    }

    private static TimeLimits within(Duration time) {
        return new TimeLimits(
                List.of(TimeLimit.after("limits.timeout", time, System.nanoTime(), "remora.limits.timeout")),
                Duration.ofSeconds(20),
                OptionalLong.empty());
    }

    private static void await(BooleanSupplier met) throws InterruptedException {
        for (int i = 0; i < 3000 && !met.getAsBoolean(); i++) {
            Thread.sleep(10);
        }
        assertThat(met.getAsBoolean()).isTrue();
    }

    private static boolean alive(String pid) {
        return Files.exists(Path.of("/proc", pid));
    }

    @Test
    void tellsAWorkerAllThatACommandWouldGet() {
        YamlNode.Mapping facts = facts(ask(SHOP, spec(USUAL, 4), "facts", "two words"));

        assertThat(facts.get("arguments"))
                .hasValueSatisfying(arguments ->
                        assertThat(dev.remora.yaml.GoJson.text(arguments)).isEqualTo("[\"facts\",\"two words\"]"));
        assertThat(facts.text("sandboxDir")).hasValue("/w/tree");
        assertThat(facts.text("workingDirectory")).hasValue("/w/tree/app");
        assertThat(facts.get("environment"))
                .hasValueSatisfying(environment ->
                        assertThat(dev.remora.yaml.GoJson.text(environment)).isEqualTo("{\"A\":\"b=ü\\n\\\"\"}"));
        assertThat(facts.get("inputs"))
                .hasValueSatisfying(inputs ->
                        assertThat(((YamlNode.Sequence) inputs).items()).isEmpty());
        assertThat(facts.text("cwd").orElseThrow()).startsWith(root.path().toString());
    }

    @Test
    void asksOneProcessAgainAndAgain() {
        String first = pid(ask(SHOP, spec(USUAL, 4), "facts"));
        Optional<Outcome> second = ask(SHOP, spec(USUAL, 4), "facts");

        assertThat(pid(second)).isEqualTo(first);
        assertThat(facts(second).get("requestId"))
                .hasValueSatisfying(
                        id -> assertThat(((YamlNode.Number) id).json()).isEqualTo("2"));
        assertThat(figures.times(Count.WORKER_STARTS)).isEqualTo(1);
        assertThat(figures.times(Count.WORKER_REQUESTS)).isEqualTo(2);
    }

    @Test
    void servesNoOtherProjectAndNoOtherDefinition() {
        String shop = pid(ask(SHOP, spec(USUAL, 4), "facts"));
        String bank = pid(ask(BANK, spec(USUAL, 4), "facts"));
        String changed = pid(ask(new WorkerKey("shop", "digest-2"), spec(USUAL, 4), "facts"));

        assertThat(Set.of(shop, bank, changed)).hasSize(3);
        assertThat(pool.alive()).isEqualTo(3);
    }

    @Test
    void aFailedRequestIsItsOwnFaultAndTheWorkerStays() {
        String before = pid(ask(SHOP, spec(USUAL, 4), "facts"));

        Optional<Outcome> outcome = ask(SHOP, spec(USUAL, 4), "fail");

        assertThat(outcome).hasValueSatisfying(ended -> {
            assertThat(ended)
                    .isInstanceOfSatisfying(
                            Outcome.Exited.class,
                            exited -> assertThat(exited.status()).isEqualTo(3));
            assertThat(ended.output().stderr()).isEqualTo("no such chart\nsee above\n");
        });
        assertThat(pid(ask(SHOP, spec(USUAL, 4), "facts"))).isEqualTo(before);
        assertThat(figures.times(Count.WORKER_FAILOVERS, "crash")).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "noise, protocol, its answer is no JSON",
        "array, protocol, its answer is no JSON object",
        "wrong id, protocol, it answered request 8 instead of 1",
        "wrong type, protocol, its answer's output is not a string",
        "cancelled unasked, protocol, which nobody had cancelled",
        "crash, crash, it ended with exit status 139: segmentation fault"
    })
    void failsOverOnceAndEndsAWorkerThatIsUnsound(String how, String reason, String words) throws Exception {
        try (WorkerLease lease = pool.lend(SHOP, spec(USUAL, 4))) {
            assertThat(ask(lease, TimeLimits.NONE, how)).isEmpty();
            assertThat(lease.ranBy()).isEqualTo("command (worker: " + reason + ")");
        }

        assertThat(figures.times(Count.WORKER_FAILOVERS, reason)).isEqualTo(1);
        await(() -> figures.times(Count.WORKER_ENDS, reason) == 1);
        assertThat(ask(SHOP, spec(USUAL, 4), "facts")).isPresent();
        assertThat(figures.times(Count.WORKER_STARTS)).isEqualTo(2);
    }

    @Test
    void whatARequestLeftRunningIsGoneWithItsAnswerAndTheWorkerStays() throws Exception {
        String pid = pid(ask(SHOP, spec(USUAL, 4), "leave"));

        assertThat(ProcessHandle.of(Long.parseLong(pid)).orElseThrow().descendants())
                .allMatch(child -> !child.isAlive() || child.info().command().isEmpty());
        assertThat(pid(ask(SHOP, spec(USUAL, 4), "facts"))).isEqualTo(pid);
    }

    @Test
    void aSecondAnswerEndsTheWorker() throws Exception {
        Optional<Outcome> _ = ask(SHOP, spec(USUAL, 4), "twice");

        await(() -> figures.times(Count.WORKER_ENDS, "protocol") == 1);
    }

    @Test
    void aWorkerThatFailsAgainAndAgainIsLeftAloneForAWhile() {
        for (int i = 0; i < 2; i++) {
            assertThat(ask(SHOP, spec(USUAL, 4, "--broken"), "facts")).isEmpty();
        }

        try (WorkerLease lease = pool.lend(SHOP, spec(USUAL, 4, "--broken"))) {
            assertThat(lease.ranBy()).isEqualTo("command (held back)");
        }
        assertThat(figures.times(Count.WORKER_STARTS)).isEqualTo(2);
    }

    @Test
    void aProgramThatIsMissingFailsOver() {
        WorkerSpec absent = new WorkerSpec(
                "p",
                List.of(Bytes.utf8("no-such-program")),
                _ -> new WorkerSpec.Surroundings(List.of(), Fence.OPEN),
                CommandLimits.ofOutput(MOST),
                USUAL,
                4);

        assertThat(ask(SHOP, absent, "facts")).isEmpty();
        assertThat(figures.times(Count.WORKER_FAILOVERS, "start")).isEqualTo(1);
    }

    @Test
    void givesNoneWhereAllAreInUse() {
        WorkerSpec two = spec(USUAL, 2);
        try (WorkerLease _ = pool.lend(SHOP, two);
                WorkerLease _ = pool.lend(SHOP, two);
                WorkerLease third = pool.lend(SHOP, two)) {
            assertThat(ask(third, TimeLimits.NONE, "facts")).isEmpty();
            assertThat(third.ranBy()).isEqualTo("command (busy)");
        }
        assertThat(figures.times(Count.WORKER_REFUSALS, "busy")).isEqualTo(1);
    }

    @Test
    void endsTheOneUnusedLongestForWhoNeedsAnother() throws Exception {
        WorkerSpec two = spec(USUAL, 2);
        String shop = pid(ask(SHOP, two, "facts"));
        String bank = pid(ask(BANK, two, "facts"));
        Optional<Outcome> _ = ask(SHOP, two, "facts");

        Optional<Outcome> third = ask(new WorkerKey("search", "digest-1"), two, "facts");

        assertThat(third).isPresent();
        assertThat(figures.times(Count.WORKER_ENDS, "room")).isEqualTo(1);
        await(() -> !alive(bank));
        assertThat(pid(ask(SHOP, two, "facts"))).isEqualTo(shop);
    }

    @Test
    void startsAnewAfterSoManyRequests() throws Exception {
        WorkerSpec spec = spec(new Bounds(2, Duration.ofMinutes(1), OptionalLong.empty(), MOST), 4);
        String first = pid(ask(SHOP, spec, "facts"));
        assertThat(pid(ask(SHOP, spec, "facts"))).isEqualTo(first);

        assertThat(pid(ask(SHOP, spec, "facts"))).isNotEqualTo(first);
        assertThat(figures.times(Count.WORKER_ENDS, "requests")).isEqualTo(1);
        await(() -> !alive(first));
    }

    @ParameterizedTest
    @ValueSource(strings = {"growth", "memory"})
    void startsAnewWhenItHoldsTooMuchMemory(String bound) {
        OptionalLong memory = bound.equals("memory") ? OptionalLong.of(60L << 20) : OptionalLong.empty();
        long growth = bound.equals("growth") ? 20L << 20 : 1L << 40;
        WorkerSpec spec = spec(new Bounds(1000, Duration.ofMinutes(1), memory, growth), 4);
        String first = pid(ask(SHOP, spec, "facts"));
        for (int i = 0; i < 2; i++) {
            Optional<Outcome> _ = ask(SHOP, spec, "hoard");
        }

        assertThat(pid(ask(SHOP, spec, "facts"))).isNotEqualTo(first);
        assertThat(figures.times(Count.WORKER_ENDS, "memory")).isEqualTo(1);
    }

    @Test
    void endsOneThatNobodyAsksForAWhile() throws Exception {
        WorkerSpec spec = spec(new Bounds(1000, Duration.ofMillis(200), OptionalLong.empty(), MOST), 4);
        String pid = pid(ask(SHOP, spec, "facts"));

        await(() -> figures.times(Count.WORKER_ENDS, "idle") == 1);
        await(() -> !alive(pid));
        assertThat(pool.alive()).isZero();
    }

    @Test
    void oneThatGivesUpWhenAskedStays() {
        String before = pid(ask(SHOP, spec(USUAL, 4), "facts"));

        try (WorkerLease lease = pool.lend(SHOP, spec(USUAL, 4))) {
            assertThat(ask(lease, within(Duration.ofMillis(200)), "slow"))
                    .hasValueSatisfying(late -> assertThat(late).isInstanceOf(Outcome.TimedOut.class));
        }

        assertThat(pid(ask(SHOP, spec(USUAL, 4), "facts"))).isEqualTo(before);
    }

    /// Its next answer would be to the line that asked it to give up.
    @ParameterizedTest
    @ValueSource(strings = {"late", "hang"})
    void oneThatDoesNotSayThatItGaveUpIsEnded(String how) throws Exception {
        String before = pid(ask(SHOP, spec(USUAL, 4), "facts"));

        try (WorkerLease lease = pool.lend(SHOP, spec(USUAL, 4))) {
            assertThat(ask(lease, within(Duration.ofMillis(200)), how))
                    .hasValueSatisfying(late -> assertThat(late).isInstanceOf(Outcome.TimedOut.class));
        }

        assertThat(figures.times(Count.WORKER_ENDS, "stopped")).isEqualTo(1);
        assertThat(figures.times(Count.WORKER_FAILOVERS)).isZero();
        await(() -> !alive(before));
    }

    @Test
    void anAnswerWithoutEndIsTooLarge() {
        assertThat(ask(SHOP, spec(USUAL, 4), "endless"))
                .hasValueSatisfying(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                Outcome.OutputTooLarge.class,
                                large -> assertThat(large.limit()).isEqualTo(MOST)));
    }

    @Test
    void outputUpToTheLimitPassesAndOneByteMoreDoesNot() {
        Optional<Outcome> most = ask(SHOP, spec(USUAL, 4), "large", Long.toString(MOST));
        Optional<Outcome> more = ask(SHOP, spec(USUAL, 4), "large", Long.toString(MOST + 1));

        assertThat(most)
                .hasValueSatisfying(
                        outcome -> assertThat(outcome.output().stdout()).hasSize((int) MOST));
        assertThat(more).hasValueSatisfying(outcome -> assertThat(outcome).isInstanceOf(Outcome.OutputTooLarge.class));
    }

    @Test
    void whatJsonCannotSayIsForTheCommand() {
        WorkRequest bytes = new WorkRequest(
                List.of(),
                List.of(Bytes.of(new byte[] {'A', '=', (byte) 0xff})),
                Bytes.utf8("/w"),
                Bytes.utf8("/w"),
                0);
        try (WorkerLease lease = pool.lend(SHOP, spec(USUAL, 4))) {
            assertThat(lease.ask(bytes, TimeLimits.NONE, new Cancellation(), MOST))
                    .isEmpty();
            assertThat(lease.ranBy()).isEqualTo("command (not UTF-8)");
        }
    }

    @Test
    void workersOfADefinitionThatIsServedNoMoreEnd() throws Exception {
        String idle = pid(ask(SHOP, spec(USUAL, 4), "facts"));
        try (WorkerLease busy = pool.lend(BANK, spec(USUAL, 4))) {
            pool.keepOnly(Set.of("digest-2"));

            assertThat(ask(busy, TimeLimits.NONE, "facts")).isPresent();
        }

        await(() -> !alive(idle));
        assertThat(figures.times(Count.WORKER_ENDS, "changed")).isEqualTo(2);
        await(() -> pool.alive() == 0);
    }

    @Test
    void closingEndsAllAndRemovesTheirFolders() throws Exception {
        YamlNode.Mapping facts = facts(ask(SHOP, spec(USUAL, 4), "leave"));
        Path place = Path.of(facts.text("cwd").orElseThrow());
        String pid = ((YamlNode.Number) facts.get("pid").orElseThrow()).json();
        assertThat(place).exists();

        pool.close();

        assertThat(alive(pid)).isFalse();
        await(() -> !Files.exists(place));
        try (WorkerLease lease = pool.lend(SHOP, spec(USUAL, 4))) {
            assertThat(lease.ranBy()).isEqualTo("command (stopping)");
        }
    }

    @Test
    void oneThatEndsBetweenRequestsIsReplacedWithoutAWord() throws Exception {
        String first = pid(ask(SHOP, spec(USUAL, 4), "facts"));
        assertThat(ProcessHandle.of(Long.parseLong(first)).orElseThrow().destroyForcibly())
                .isTrue();
        await(() -> pool.alive() == 0);

        assertThat(pid(ask(SHOP, spec(USUAL, 4), "facts"))).isNotEqualTo(first);
        assertThat(figures.times(Count.WORKER_ENDS, "crash")).isEqualTo(1);
        assertThat(figures.times(Count.WORKER_FAILOVERS)).isZero();
    }

    @Test
    void answersAreReadAsTheProtocolsDefinitionSays() throws Exception {
        assertThat(WorkResponse.parse(
                        "{\"requestId\":4,\"more\":[1],\"output\":null}".getBytes(StandardCharsets.UTF_8), 4))
                .isEqualTo(new WorkResponse(0, "", 4, false));
    }
}

package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.NeedsLandlock;
import dev.remora.testing.NeedsRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Every attempt of `src/test/resources/escape/attempts.tsv`, made three times by the same program as the same user
/// without capabilities: beside the sidecar, where it must work if the kernel gives it to users at all (so that no
/// attempt counts as refused for want of a working attack); as the command of a definition without a sandbox; and of
/// one with.
@EnabledOnOs(OS.LINUX)
@NeedsRoot
@NeedsLandlock
class EscapeTest {
    private static final Path TABLE = Path.of("src/test/resources/escape/attempts.tsv");
    private static final List<String> PROGRAMS = List.of("files.py", "processes.py", "privileges.py", "network.py");
    private static final String DONE = "done: ";

    @TempDir
    private static Path folder;

    private static final Map<String, String> OUTSIDE = new LinkedHashMap<>();
    private static final Map<String, String> COMPATIBLE = new LinkedHashMap<>();
    private static final Map<String, String> STRICT = new LinkedHashMap<>();
    private static final Map<String, Map<String, String>> NEIGHBOURS = new LinkedHashMap<>();

    private static EscapeScene scene;

    /// @param outside `works`, `kernel`: where the kernel or its settings may refuse it to every user, or `hidden`:
    /// the server refuses it to every process of its user
    /// @param compatible the errno or signal that answers it, `no-effect` where a call succeeds in vain, or `open`;
    /// several have `|` between them
    /// @param strict the same
    private record Attempt(String name, String outside, String compatible, String strict) {}

    @BeforeAll
    static void attack() throws Exception {
        scene = new EscapeScene(
                folder,
                Map.of(
                        "strict",
                        "remora: {sandbox: {network: none, readable: [" + folder + "/tools]}}\n",
                        "compatible",
                        ""));
        level("strict", STRICT);
        level("compatible", COMPATIBLE);
        level("outside", OUTSIDE);
    }

    private static void level(String name, Map<String, String> results) throws Exception {
        EscapeScene.Neighbour neighbour = scene.neighbour();
        for (String program : PROGRAMS) {
            results.putAll(name.equals("outside") ? scene.outside(program) : scene.inside(name, program));
        }
        NEIGHBOURS.put(name, neighbour.end());
    }

    @AfterAll
    static void close() throws Exception {
        scene.close();
    }

    @TestFactory
    Stream<DynamicTest> attemptsWorkWithoutASandbox() throws IOException {
        return attempts(attempt -> {
            switch (attempt.outside()) {
                case "works" -> assertThat(OUTSIDE.get(attempt.name())).startsWith(DONE);
                case "hidden" -> check("EACCES|EPERM", result(OUTSIDE, attempt));
                default -> assertThat(OUTSIDE).containsKey(attempt.name());
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> attemptsAreRefusedByTheCompatibleLevel() throws IOException {
        return attempts(attempt -> check(attempt.compatible(), result(COMPATIBLE, attempt)));
    }

    @TestFactory
    Stream<DynamicTest> attemptsAreRefusedByAStrictSandbox() throws IOException {
        return attempts(attempt -> check(attempt.strict(), result(STRICT, attempt)));
    }

    private static String result(Map<String, String> results, Attempt attempt) {
        return results.getOrDefault(attempt.name(), "not run");
    }

    private static void check(String expected, String result) {
        switch (expected) {
            case "open" ->
                assertThat(result).as("no longer possible: say so in the table").startsWith(DONE);
            case "no-effect" -> assertThat(result).isEqualTo("refused: ENODATA");
            default -> assertThat(result).matches("(refused|died): (" + expected + ")");
        }
    }

    private interface Check {
        void of(Attempt attempt) throws Exception;
    }

    private static Stream<DynamicTest> attempts(Check check) throws IOException {
        return table().stream().map(attempt -> DynamicTest.dynamicTest(attempt.name(), () -> check.of(attempt)));
    }

    private static List<Attempt> table() throws IOException {
        List<Attempt> all = new ArrayList<>();
        for (String line : Files.readAllLines(TABLE)) {
            String[] cells = line.split("\t", -1);
            if (!line.startsWith("#")) {
                all.add(new Attempt(cells[0], cells[1], cells[2], cells[3]));
            }
        }
        return all;
    }

    @Test
    void everyAttemptOfTheProgramsIsInTheTable() throws IOException {
        assertThat(table().stream().map(Attempt::name)).containsExactlyInAnyOrderElementsOf(STRICT.keySet());
    }

    @Test
    void everyAttemptIsToldInTheSecurityPage() throws IOException {
        String page = Files.readString(Path.of("SECURITY.md"));
        assertThat(table().stream().map(Attempt::name))
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    @Test
    void theNeighbourOfAStrictRenderNoticesNothing() {
        assertThat(NEIGHBOURS.get("strict"))
                .containsEntry("signals", "0")
                .containsEntry("memory", "top secret words")
                .containsEntry("file", "top secret file");
    }

    @Test
    void theNeighbourNoticesWhatIsDoneFromOutside() {
        assertThat(NEIGHBOURS.getOrDefault("outside", Map.of()).get("signals")).isNotEqualTo("0");
    }

    @Test
    void whatStaysBehindIsGoneBeforeTheAnswer() throws IOException {
        scene.call("strict", SmallArchive.of(EscapeScene.programs()), "residue.py");
        assertThat(scene.server.commands("residue.py")).isEmpty();
    }

    @Test
    void theSidecarServesTheNextCall() {
        scene.servesTheNextCall();
    }
}

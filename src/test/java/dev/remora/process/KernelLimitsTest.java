package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.NeedsTool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class KernelLimitsTest {
    private static final OptionalLong NONE = OptionalLong.empty();
    private static final TimeLimits TIME = Shell.within(Duration.ofMinutes(1), Duration.ofSeconds(1));

    private static CommandRunner runner;

    @TempDir
    private Path folder;

    @BeforeAll
    static void open() {
        runner = CommandRunner.open(ProcessSettings.standard(Shell.SEARCH_PATH));
    }

    @AfterAll
    static void close() {
        runner.close();
    }

    @Test
    void theCommandAndItsChildrenHaveThem() {
        CommandLimits limits = new CommandLimits(
                Shell.MEBI,
                100,
                OptionalLong.of(512 << 20),
                OptionalLong.of(64),
                OptionalLong.of(10 << 20),
                OptionalLong.of(30),
                OptionalInt.of(7));

        Outcome outcome = run(limits, "sleep 0.2; sh -c 'ulimit -n; ulimit -d; ulimit -f; ulimit -t; nice'");

        assertThat(Shell.stdout(outcome).lines()).containsExactly("64", "524288", "20480", "30", "7");
    }

    @Test
    void aProcessWithoutMemoryFailsAlone() {
        CommandLimits limits =
                new CommandLimits(Shell.MEBI, 100, OptionalLong.of(64 << 20), NONE, NONE, NONE, OptionalInt.empty());

        Outcome outcome = run(limits, "sleep 0.2; head -c 300000000 /dev/zero | tail -n 1 | wc -c");

        assertThat(outcome.output().stderr()).contains("memory exhausted");
    }

    /// As docs/concepts/processes.md tells it; what is not counted is the container's to bound, or a control group's.
    @Test
    @NeedsTool("python3")
    void memoryCountsWhatIsPrivateAndWritable() {
        CommandLimits limits =
                new CommandLimits(Shell.MEBI, 100, OptionalLong.of(128 << 20), NONE, NONE, NONE, OptionalInt.empty());
        Path program = Path.of("src/test/resources/shell/memory.py").toAbsolutePath();

        Outcome outcome = run(limits, "sleep 0.2; exec python3 " + program);

        assertThat(Shell.stdout(outcome).lines())
                .containsExactly(
                        "heap: refused",
                        "private anonymous mapping: refused",
                        "private writable mapping of a file: refused",
                        "stack of a thread: refused",
                        "reserved addresses: given",
                        "read-only mapping of a file: given",
                        "shared anonymous mapping: given",
                        "shared mapping of a file: given",
                        "file in memory: given");
    }

    @Test
    void aFileThatGrowsTooLargeEndsItsWriterBySignal() {
        CommandLimits limits =
                new CommandLimits(Shell.MEBI, 100, NONE, NONE, OptionalLong.of(4096), NONE, OptionalInt.empty());

        Outcome outcome = run(limits, "sleep 0.2; exec head -c 100000 /dev/zero > file");

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Signalled.class, signalled -> {
            assertThat(signalled.signal()).isEqualTo(25);
            assertThat(signalled.limit()).contains("limits.fileSize");
        });
        assertThat(folder.resolve("file"))
                .satisfies(file -> assertThat(Files.size(file)).isEqualTo(4096));
    }

    @Test
    void processorTimeThatIsUsedUpIsNamed() {
        CommandLimits limits =
                new CommandLimits(Shell.MEBI, 100, NONE, NONE, NONE, OptionalLong.of(1), OptionalInt.empty());

        Outcome outcome = run(limits, "while :; do :; done");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Signalled.class,
                        signalled -> assertThat(signalled.limit()).contains("limits.cpu"));
    }

    private Outcome run(CommandLimits limits, String script) {
        try (ProcessTree tree = runner.open("t", limits)) {
            return tree.run(Shell.script(folder, script), TIME, new Cancellation());
        }
    }
}

package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.Fault;
import dev.remora.sandbox.Fence;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Real limits of the kernel, met by real commands, named in the error.
@EnabledOnOs(OS.LINUX)
class LimitSignsTest {
    private static final CommandLimits LIMITS = new CommandLimits(
            1 << 20,
            50,
            OptionalLong.of(64 << 20),
            OptionalLong.of(16),
            OptionalLong.of(1 << 20),
            OptionalLong.of(1),
            OptionalInt.empty());

    @TempDir
    private Path folder;

    private final CommandRunner runner = CommandRunner.open(ProcessSettings.standard(Shell.SEARCH_PATH));

    @AfterEach
    void close() {
        runner.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "python3 -c 'bytearray(300000000)' | likely remora.limits.memory of 67108864 fired; raise it",
                "python3 -c 'l=[open(\"/dev/null\") for i in range(100)]' | likely remora.limits.openFiles of 16 fired",
                "python3 -c 'open(\"big\",\"wb\").write(b\"x\"*3000000)' | likely remora.limits.fileSize of 1048576 fired",
                "(while :; do :; done); exit $? | likely remora.limits.cpu of 1 fired"
            })
    void namesTheLimitThatACommandMet(String script, String words) {
        try (ProcessTree tree = runner.open("t", LIMITS, Fence.COMPATIBLE)) {
            Command command = Shell.script(folder, script);
            Outcome outcome = tree.run(command, TimeLimits.NONE, new Cancellation());

            assertThat(runner.faults(new Phases(), Phase.GENERATE, LIMITS, Fence.COMPATIBLE)
                            .of(command, outcome)
                            .map(Fault::words))
                    .hasValueSatisfying(text -> assertThat(text).contains(words));
        }
    }

    @Test
    void aLimitThatIsNotSetIsNotNamed() {
        Command command = Shell.script(folder, "echo MemoryError >&2; exit 1");
        try (ProcessTree tree = runner.open("t", Shell.limits())) {
            Outcome outcome = tree.run(command, TimeLimits.NONE, new Cancellation());

            assertThat(runner.faults(new Phases(), Phase.GENERATE, Shell.limits(), Fence.OPEN)
                            .of(command, outcome)
                            .map(Fault::words))
                    .hasValueSatisfying(text -> assertThat(text).doesNotContain("remora.limits"));
        }
    }
}

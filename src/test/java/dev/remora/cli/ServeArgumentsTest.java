package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.workspace.RecycleOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How much of unpacked trees is kept, as the flags of `serve` say.
class ServeArgumentsTest {
    private static final long MIB = 1 << 20;

    @TempDir
    private Path folder;

    private RecycleOptions recycle(Map<String, String> environment, String... flags) {
        SettingValues settings = SettingValues.resolve(
                Commands.SERVE, ArgumentParser.parse(Commands.SERVE, List.of(flags)), environment, Map.of());
        return ServeArguments.options(settings, new FakeConsole(folder).console())
                .places()
                .recycle();
    }

    @Test
    void keepsByDefaultWhatTheDocumentationSays() {
        assertThat(recycle(Map.of()))
                .isEqualTo(RecycleOptions.DEFAULT)
                .isEqualTo(new RecycleOptions(8, 1024 * MIB, 100_000, Duration.ofMinutes(30)));
    }

    @Test
    void everyBoundHasAFlagAndAVariable() {
        RecycleOptions expected = new RecycleOptions(2, 3 * MIB, 4, Duration.ofSeconds(5));

        assertThat(recycle(
                        Map.of(), "--recycle-trees=2", "--recycle-size-mb=3", "--recycle-inodes=4", "--recycle-age=5s"))
                .isEqualTo(expected);
        assertThat(recycle(Map.of(
                        "REMORA_RECYCLE_TREES", "2",
                        "REMORA_RECYCLE_SIZE_MB", "3",
                        "REMORA_RECYCLE_INODES", "4",
                        "REMORA_RECYCLE_AGE", "5s")))
                .isEqualTo(expected);
    }

    @Test
    void takesTheSmallestAndTheLargest() {
        assertThat(recycle(Map.of(), "--recycle-trees=0").on()).isFalse();
        String most = Integer.toString(Integer.MAX_VALUE);
        assertThat(recycle(
                        Map.of(), "--recycle-trees=" + most, "--recycle-size-mb=" + most, "--recycle-inodes=" + most))
                .isEqualTo(new RecycleOptions(
                        Integer.MAX_VALUE, Integer.MAX_VALUE * MIB, Integer.MAX_VALUE, Duration.ofMinutes(30)));
    }

    @ParameterizedTest
    @CsvSource({
        "--recycle-trees=-1, is no whole number from 0 to 2147483647",
        "--recycle-size-mb=2147483648, is no whole number from 0 to 2147483647",
        "--recycle-inodes=many, is no whole number from 0 to 2147483647",
        "--recycle-age=-1s, is no duration",
        "--recycle-age=30, is no duration"
    })
    void refusesWhatIsOutOfBounds(String flag, String why) {
        assertThatThrownBy(() -> recycle(Map.of(), flag))
                .hasMessageContaining(flag.substring(0, flag.indexOf('=')))
                .hasMessageContaining(why);
    }
}

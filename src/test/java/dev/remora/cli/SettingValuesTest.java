package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.cli.SettingValues.Given;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingValuesTest {
    private static final Given IN_FILE = new Given(List.of("4s"), ".remora.yaml:1:1 exec-timeout");

    /// Each column left empty is not given; the first given from the left wins.
    @ParameterizedTest
    @CsvSource({
        "1s, 2s, 3s, 4s, 1s, --exec-timeout",
        "  , 2s, 3s, 4s, 2s, REMORA_EXEC_TIMEOUT",
        "  ,   , 3s, 4s, 3s, ARGOCD_EXEC_TIMEOUT",
        "  ,   ,   , 4s, 4s, .remora.yaml:1:1 exec-timeout",
        "  ,   ,   ,   , 90s, default"
    })
    void asksFlagThenVariablesThenFileThenDefault(
            String flag, String own, String argocd, String file, String expected, String origin) {
        List<String> arguments = flag == null ? List.of("F") : List.of("F", "--exec-timeout", flag);
        Map<String, String> environment = new HashMap<>();
        if (own != null) {
            environment.put("REMORA_EXEC_TIMEOUT", own);
        }
        if (argocd != null) {
            environment.put("ARGOCD_EXEC_TIMEOUT", argocd);
        }
        SettingValues values = SettingValues.resolve(
                Commands.RENDER,
                ArgumentParser.parse(Commands.RENDER, arguments),
                environment,
                file == null ? Map.of() : Map.of("exec-timeout", IN_FILE));
        assertThat(values.text(FolderSettings.EXEC_TIMEOUT)).isEqualTo(expected);
        assertThat(values.origin(FolderSettings.EXEC_TIMEOUT)).isEqualTo(origin);
    }

    @Test
    void refusesEveryValueThatIsNotValidAtOnce() {
        assertThatThrownBy(() -> render(Map.of("REMORA_COLOR", "alwys"), "F", "--timeout=90", "--mask=maybe"))
                .hasMessageContaining("--timeout: \"90\" is no duration; write it as 90s or 1m30s")
                .hasMessageContaining("--mask: \"maybe\" is neither true nor false")
                .hasMessageContaining(
                        "REMORA_COLOR: \"alwys\" is not one of auto, always, never, did you mean always?");
    }

    @Test
    void ignoresAnInvalidVariableOfArgoCdAndSaysSo() {
        SettingValues values = render(Map.of("ARGOCD_EXEC_TIMEOUT", "ninety"), "F");
        assertThat(values.duration(FolderSettings.EXEC_TIMEOUT)).isEqualTo(Duration.ofSeconds(90));
        assertThat(values.ignored()).singleElement().asString().contains("ARGOCD_EXEC_TIMEOUT=\"ninety\"");
    }

    @Test
    void takesTheLastOfSeveralValuesAndAllOfAList() {
        SettingValues values =
                render(Map.of(), "F", "--project=a", "--project=b", "--plugin-env=A=1", "--plugin-env=B=2");
        assertThat(values.text(FolderSettings.PROJECT)).isEqualTo("b");
        assertThat(values.list(FolderSettings.PLUGIN_ENV)).containsExactly("A=1", "B=2");
    }

    @Test
    void splitsAListInAVariableByLines() {
        SettingValues values = render(Map.of("REMORA_PLUGIN_ENV", "A=1,2\nB=3\n"), "F");
        assertThat(values.list(FolderSettings.PLUGIN_ENV)).containsExactly("A=1,2", "B=3");
    }

    @Test
    void countsVerbose() {
        assertThat(render(Map.of(), "F").count(CommonSettings.VERBOSE)).isZero();
        assertThat(render(Map.of(), "F", "-vv").count(CommonSettings.VERBOSE)).isEqualTo(2);
        assertThat(render(Map.of("REMORA_VERBOSE", "2"), "F").count(CommonSettings.VERBOSE))
                .isEqualTo(2);
    }

    private static SettingValues render(Map<String, String> environment, String... arguments) {
        return SettingValues.resolve(
                Commands.RENDER, ArgumentParser.parse(Commands.RENDER, List.of(arguments)), environment, Map.of());
    }
}

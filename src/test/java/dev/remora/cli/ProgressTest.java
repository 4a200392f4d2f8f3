package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
    @ParameterizedTest
    @CsvSource({"auto, true, LIVE", "auto, false, PLAIN", "plain, true, PLAIN", "json, true, JSON", "none, true, NONE"})
    void choosesItsFormByTheSettingAndTheTerminal(String setting, boolean terminal, Progress.Form form) {
        FakeConsole console = new FakeConsole(Path.of("/"));
        if (terminal) {
            console.onTerminal();
        }
        assertThat(Progress.form(console.console(), settings("--progress=" + setting)))
                .isEqualTo(form);
        assertThat(Progress.form(console.console(), settings("--progress=" + setting, "-q")))
                .isEqualTo(Progress.Form.NONE);
    }

    @Test
    void showsOneLineAfterASecondAndRemovesItAtTheEnd() {
        FakeConsole console = new FakeConsole(Path.of("/")).onTerminal();
        Progress.during(console.console(), settings(), "app  p", () -> slept(Duration.ofMillis(1600)));
        assertThat(console.err())
                .startsWith("\r\033[Kapp  p 1.")
                .endsWith("\r\033[K")
                .doesNotContain("\n");
    }

    @Test
    void saysNothingAboutWorkThatIsQuick() {
        FakeConsole console = new FakeConsole(Path.of("/")).onTerminal();
        assertThat(Progress.during(console.console(), settings(), "app  p", () -> "done"))
                .isEqualTo("done");
        assertThat(console.err()).isEmpty();
    }

    @Test
    void printsEventsAsJsonLines() {
        FakeConsole console = new FakeConsole(Path.of("/"));
        Progress.during(console.console(), settings("--progress=json"), "app  p", () -> "done");
        assertThat(console.err().lines()).hasSize(2);
        assertThat(console.err())
                .contains("{\"schema\":\"remora/progress/v1\",\"event\":\"started\",\"label\":\"app  p\"")
                .contains("\"event\":\"ended\"");
    }

    private static boolean slept(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static SettingValues settings(String... arguments) {
        List<String> all = new java.util.ArrayList<>(List.of("F"));
        all.addAll(List.of(arguments));
        return SettingValues.resolve(Commands.RENDER, ArgumentParser.parse(Commands.RENDER, all), Map.of(), Map.of());
    }
}

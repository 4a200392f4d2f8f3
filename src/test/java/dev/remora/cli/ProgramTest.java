package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramTest {
    @TempDir
    Path folder;

    @Test
    void showsHelpOnStandardErrorAndEndsWith2WithoutACommand() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run()).isEqualTo(2);
        assertThat(console.out()).isEmpty();
        assertThat(console.err()).contains("Usage: remora COMMAND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help"})
    void showsHelpOnStandardOutWhenAsked(String word) {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run(word)).isZero();
        assertThat(console.err()).isEmpty();
        for (CommandModel command : Commands.models()) {
            assertThat(console.out()).contains("  " + command.name() + " ").contains(command.summary());
        }
    }

    @Test
    void helpTellsWhichFlagsMayBeGivenAgain() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("render", "--help")).isZero();
        assertThat(console.out())
                .contains("[REMORA_PLUGIN_ENV, plugin-env:, repeatable]")
                .contains("[REMORA_PATH, path:, default .]");
    }

    @Test
    void helpShowsFlagVariableFileKeyAndDefaultOfEverySetting() {
        FakeConsole console = new FakeConsole(folder);
        for (CommandModel command : Commands.models()) {
            assertThat(console.run(command.name(), "--help")).isZero();
            for (Setting setting : command.settings()) {
                assertThat(console.out()).contains(setting.flag());
                if (setting.places() != Setting.Places.FLAG) {
                    assertThat(console.out()).contains("[" + setting.variable());
                }
                if (setting.places() == Setting.Places.FILE) {
                    assertThat(console.out()).contains(", " + setting.key() + ":");
                }
                boolean off = setting.kind() == SettingKind.COUNT
                        || setting.fallback().equals("false");
                if (!setting.fallback().isEmpty() && !off) {
                    assertThat(console.out()).contains("default " + setting.fallback() + "]");
                }
            }
        }
    }

    @Test
    void proposesACommandForAMistypedOne() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("rendr", ".")).isEqualTo(2);
        assertThat(console.err())
                .contains("unknown command rendr, did you mean render?")
                .contains("[cli.usage]");
        assertThat(console.out()).isEmpty();
    }

    @Test
    void proposesAFlagForAMistypedOne() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("render", ".", "--plgin", "x")).isEqualTo(2);
        assertThat(console.err()).contains("unknown flag --plgin, did you mean --plugin?");
    }

    @Test
    void serveEndsWith20ForABadFlagAndWith1ForABadLogFormat() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("serve", "--logfromat", "json")).isEqualTo(20);
        assertThat(console.err()).contains("did you mean --logformat?");
        assertThat(console.run("serve", "--loglevel", "loud")).isEqualTo(20);
        assertThat(console.run("serve", "--logformat", "xml")).isEqualTo(1);
    }

    @Test
    void printsAFaultAsJsonWhenJsonWasAskedFor() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("render", ".", "-o", "json", "--timeout", "x")).isEqualTo(2);
        assertThat(console.out())
                .contains("\"schema\" : \"remora/fault/v1\"")
                .contains("\"code\" : \"cli.usage\"")
                .contains("\"kind\" : \"USER\"")
                .contains("\"message\" : \"--timeout: \\\"x\\\" is no duration");
        assertThat(console.err()).contains("is no duration");
    }

    @Test
    void printsTheVersionThreeWays() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("version")).isZero();
        String text = console.out();
        assertThat(text).startsWith("remora ").contains("(Java 25");
        assertThat(console.run("--version")).isZero();
        assertThat(console.out()).isEqualTo(text);
        assertThat(console.run("version", "-o", "json")).isZero();
        assertThat(console.out()).contains("\"schema\" : \"remora/version/v1\"");
    }
}

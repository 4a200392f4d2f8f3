package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentParserTest {
    @Test
    void takesValuesBehindABlankOrAnEqualsSign() {
        ParsedArguments parsed = render("--plugin", "a.yaml", "FOLDER", "--plugin=b=c.yaml");
        assertThat(parsed.flags().get("plugin")).containsExactly("a.yaml", "b=c.yaml");
        assertThat(parsed.words()).containsExactly("FOLDER");
    }

    @Test
    void readsSwitchesAloneAndWithAValue() {
        ParsedArguments parsed = render("--timings", "--mask=false", "F");
        assertThat(parsed.flags()).containsEntry("timings", List.of("true")).containsEntry("mask", List.of("false"));
        assertThat(parsed.words()).containsExactly("F");
    }

    @Test
    void takesNoWordForAFlagWithOptionalValue() {
        ParsedArguments parsed = render("--keep", "F");
        assertThat(parsed.flags()).containsEntry("keep", List.of(""));
        assertThat(parsed.words()).containsExactly("F");
        assertThat(render("--keep=out", "F").flags()).containsEntry("keep", List.of("out"));
    }

    @Test
    void readsClustersOfLetters() {
        ParsedArguments parsed = render("-qvvojson", "F", "-a", "v1,apps/v1");
        assertThat(parsed.flags())
                .containsEntry("quiet", List.of("true"))
                .containsEntry("verbose", List.of("true", "true"))
                .containsEntry("output", List.of("json"))
                .containsEntry("api-versions", List.of("v1,apps/v1"));
        assertThat(render("-o=name", "F").flags()).containsEntry("output", List.of("name"));
    }

    @Test
    void takesEverythingBehindTwoDashesAsWords() {
        assertThat(render("--", "--plugin").words()).containsExactly("--plugin");
    }

    @Test
    void reportsEveryMistakeWithAProposal() {
        assertThatThrownBy(() -> render("--plgin", "x", "-Z", "F", "--timeout"))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("unknown flag --plgin, did you mean --plugin?")
                .hasMessageContaining("unknown flag -Z")
                .hasMessageContaining("--timeout needs a value: --timeout TIME");
    }

    @Test
    void countsWords() {
        assertThatThrownBy(() -> ArgumentParser.parse(Commands.COMPLETION, List.of()))
                .hasMessageContaining("bash|zsh|fish is missing");
        assertThatThrownBy(() -> render("a", "b")).hasMessageContaining("unexpected argument \"b\"");
        assertThat(render("--help").flags()).containsKey("help");
    }

    private static ParsedArguments render(String... arguments) {
        return ArgumentParser.parse(Commands.RENDER, List.of(arguments));
    }
}

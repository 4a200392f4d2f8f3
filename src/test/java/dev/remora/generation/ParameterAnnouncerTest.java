package dev.remora.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.plugin.PluginDefinition;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterAnnouncerTest {
    private static final String STATIC = "static: [{name: static-a, string: x}, {name: static-b}]";

    @TempDir
    Path folder;

    private Rendering rendering;

    @BeforeEach
    void open() {
        rendering = new Rendering(folder);
    }

    @AfterEach
    void close() {
        rendering.close();
    }

    @Test
    void announcesStaticParametersWithoutTheFolder() {
        rendering.close();
        rendering = new Rendering(folder.resolve("absent"));

        assertThat(rendering.announce(plugin(STATIC))).containsExactly("static-a=x", "static-b=");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|static-a=x,static-b=",
                "null|static-a=x,static-b=",
                "[{\"name\":\"dynamic-a\"},{\"NAME\":\"dynamic-b\",\"string\":\"s\",\"other\":1}]|dynamic-a=,dynamic-b=s,static-a=x,static-b=",
            })
    void putsDynamicOnesFirst(String printed, String expected) {
        assertThat(rendering.announce(plugin(STATIC + ", " + printing(printed))))
                .containsExactly(expected.split(","));
    }

    @Test
    void givesTheRequestsVariablesToTheCommand() {
        PluginDefinition plugin = plugin("dynamic: {command: [sh, -c, "
                + "'printf \"[{\\\"name\\\":\\\"p\\\",\\\"string\\\":\\\"%s\\\"}]\" \"$MUST_BE_SET\"']}");

        assertThat(rendering.with("MUST_BE_SET", "yep").announce(plugin)).containsExactly("p=yep");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[|unexpected end of JSON input",
                "{\"name\":\"secret7\"}|cannot unmarshal object",
                "[{\"name\":7}]|cannot unmarshal number",
                "[null]|entry 0 is null",
                "[] x|invalid character",
            })
    void describesWrongOutputWithoutShowingIt(String printed, String words) {
        assertThatThrownBy(() -> rendering.announce(plugin(printing(printed))))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("error unmarshaling dynamic parameter output into ParametersAnnouncementResponse")
                .hasMessageContaining(words)
                .hasMessageNotContaining("secret7");
    }

    @Test
    void saysThatTheCommandFailed() {
        assertThatThrownBy(() -> rendering.announce(plugin("dynamic: {command: ['exit 1']}")))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("error executing dynamic parameter output command");
    }

    private static PluginDefinition plugin(String parameters) {
        return Rendering.plugin("spec:\n  generate: {command: [\"true\"]}\n  parameters: {" + parameters + "}\n");
    }

    private static String printing(String text) {
        return "dynamic: {command: [printf, '%s', '" + text + "']}";
    }
}

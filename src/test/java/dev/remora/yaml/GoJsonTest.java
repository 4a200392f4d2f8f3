package dev.remora.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoJsonTest {
    @Test
    void escapesAsGoDoes() {
        assertThat(GoJson.quoted("<a href=\"x\">&\\ \b\f\n\r\t\u0001\u001f\u007fé\u2028\u2029😀\uFFFD"))
                .isEqualTo("\"\\u003ca href=\\\"x\\\"\\u003e\\u0026\\\\ \\b\\f\\n\\r\\t\\u0001\\u001f\u007fé"
                        + "\\u2028\\u2029😀\uFFFD\"");
    }

    @Test
    void sortsKeysByTheirUtf8Bytes() {
        YamlNode map = YamlNode.map(List.of(
                YamlNode.entry("\uD83D\uDE00", YamlNode.text("1")),
                YamlNode.entry("\uFB01", YamlNode.text("2")),
                YamlNode.entry("b", YamlNode.text("3")),
                YamlNode.entry("B", YamlNode.text("4")),
                YamlNode.entry("ba", YamlNode.text("5"))));

        assertThat(GoJson.text(map))
                .isEqualTo("{\"B\":\"4\",\"b\":\"3\",\"ba\":\"5\",\"\uFB01\":\"2\",\"\uD83D\uDE00\":\"1\"}");
    }

    @Test
    void ofEqualKeysTheLastCounts() {
        assertThat(GoJson.text(YamlNode.map(
                        List.of(YamlNode.entry("a", YamlNode.text("1")), YamlNode.entry("a", YamlNode.text("2"))))))
                .isEqualTo("{\"a\":\"2\"}");
    }

    @Test
    void indentsForPeople() {
        YamlNode map = YamlNode.map(List.of(
                YamlNode.entry("a", YamlNode.list(List.of(YamlNode.text("x"), YamlNode.list(List.of())))),
                YamlNode.entry("b", YamlNode.map(List.of()))));

        assertThat(GoJson.indented(map)).isEqualTo("""
                {
                    "a": [
                        "x",
                        []
                    ],
                    "b": {}
                }""");
    }

    @Test
    void stopsAtTheLimit() {
        YamlNode list = YamlNode.list(java.util.Collections.nCopies(1000, YamlNode.text("x".repeat(1000))));

        assertThat(GoJson.bytes(list, 1_003_001)).hasSize(1_003_001);
        assertThatThrownBy(() -> GoJson.bytes(list, 900_000))
                .isInstanceOfSatisfying(Fault.class, f -> assertThat(f.code()).isEqualTo(FaultCode.OUTPUT_TOO_LARGE));
    }
}

package dev.remora.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.fail;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.yaml.GoJson;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SourceOverridesTest {

    /// Sources, one or two override files, and what Argo CD's own types made of them (3.4-dev); `!` is an error.
    static Stream<String> rows() throws IOException {
        try (InputStream in = SourceOverridesTest.class.getResourceAsStream("/application/overrides.tsv")) {
            return new String(in == null ? new byte[0] : in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void mergesAsArgoCdDoes(String row) {
        String[] columns = row.split("\t", -1);
        String expected = columns[columns.length - 1];
        SourceOverrides overrides = new SourceOverrides(source(columns[0]));
        try {
            for (int i = 1; i < columns.length - 1; i++) {
                overrides.apply("o" + i + ".yaml", columns[i].getBytes(StandardCharsets.UTF_8));
            }
        } catch (Fault refused) {
            assertThat(expected).as(refused.getMessage()).isEqualTo("!");
            return;
        }
        assertThat(GoJson.text(overrides.result().written())).isEqualTo(sorted(expected));
    }

    @Test
    void saysWhichFileSetWhichField() {
        SourceOverrides overrides = new SourceOverrides(
                source("{repoURL: x, path: app, plugin: {name: kapitan, env: [{name: A, value: '1'}]}}"));

        overrides.apply(SourceOverrides.FOR_ALL, bytes("plugin: {name: sops}\npath: other\n"));
        overrides.apply(SourceOverrides.forApplication("shop"), bytes("plugin: {env: [{name: C}]}\n"));

        assertThat(overrides.result().path()).isEqualTo("app");
        assertThat(overrides.result().plugin().orElseThrow().name()).isEqualTo("sops");
        assertThat(overrides.changes())
                .containsExactly(
                        new SourceOverrides.Change(".argocd-source.yaml", "plugin.name", "\"kapitan\"", "\"sops\""),
                        new SourceOverrides.Change(
                                ".argocd-source-shop.yaml",
                                "plugin.env",
                                "[{\"name\":\"A\",\"value\":\"1\"}]",
                                "[{\"name\":\"C\",\"value\":\"1\"}]"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | s.yaml:1:1: error getting app source type: error while parsing source parameters: Invalid JSON Patch",
                "# nothing | Invalid JSON Patch",
                "[] | cannot unmarshal array into a source",
                "plugin: {env: [{name: 1}]} | s.yaml:1:23: ",
                "plugin: [ | s.yaml:2:1: did not find expected node content",
            })
    void refusesWithThePlace(String file, String problem) {
        SourceOverrides overrides = new SourceOverrides(source("{repoURL: x}"));

        Fault fault = catchThrowableOfType(Fault.class, () -> overrides.apply("s.yaml", bytes(file)));

        if (fault == null) {
            fail("nothing was refused");
        } else {
            assertThat(fault).hasMessageContaining(problem);
        }
    }

    private static ApplicationSource source(String source) {
        YamlNode written = new YamlReader("source.yaml", FaultCode.INTERNAL).read(bytes(source));
        return SourceFields.of(written, "source", (node, path, wanted) -> fail(path + " is no " + wanted));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String sorted(String json) {
        YamlNode node = new JsonReader("expected", FaultCode.INTERNAL).read(bytes(json));
        return GoJson.text(node);
    }
}

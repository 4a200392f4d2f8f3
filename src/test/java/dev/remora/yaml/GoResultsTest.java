package dev.remora.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is read and refused is what Kubernetes' Go code reads and refuses, text for text.
class GoResultsTest {
    private static final int ROWS = 2000;

    static Stream<GoResults.Row> yaml() {
        return GoResults.rows("yaml");
    }

    static Stream<GoResults.Row> json() {
        return GoResults.rows("json");
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void readsYamlAsGoDoes(GoResults.Row row) {
        compare(row, text -> new YamlReader("f", FaultCode.OUTPUT_INVALID).read(text));
    }

    @ParameterizedTest
    @MethodSource("json")
    void readsJsonAsGoDoes(GoResults.Row row) {
        compare(row, text -> new JsonReader("f", FaultCode.OUTPUT_INVALID).read(text));
    }

    @Test
    void thereAreRowsToCompareWith() {
        assertThat(Stream.concat(yaml(), json()).count()).isGreaterThan(ROWS);
    }

    private static void compare(GoResults.Row row, Function<byte[], YamlNode> read) {
        if (row.error()) {
            Fault fault = catchThrowableOfType(Fault.class, () -> GoJson.text(read.apply(row.text())));
            assertThat(fault).as("refuses").isNotNull();
            assertThat(fault.code()).isEqualTo(FaultCode.OUTPUT_INVALID);
            assertThat(fault.problems().getFirst().message())
                    .startsWith(withoutPrefixes(row.results().getFirst()));
        } else {
            String json = new String(GoJson.bytes(read.apply(row.text()), 1 << 20), StandardCharsets.UTF_8);
            assertThat(json).isEqualTo(row.results().getFirst());
        }
    }

    private static String withoutPrefixes(String goText) {
        return goText.replaceFirst("^error converting YAML to JSON: ", "").replaceFirst("^yaml: ", "");
    }
}

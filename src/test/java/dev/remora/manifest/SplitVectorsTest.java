package dev.remora.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.yaml.GoResults;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The table of `docs/spec/output.md`, and the recorded answers of Kubernetes' own decoder.
class SplitVectorsTest {
    static Stream<GoResults.Row> recorded() {
        return GoResults.rows("split");
    }

    /// Output and documents, which are the same with Argo CD's rules and with ours.
    static Stream<Arguments> vectors() {
        return Stream.of(
                row(""),
                row("\n"),
                row("   "),
                row("# hi\n"),
                row("---\n"),
                row("null\n"),
                row("~\n"),
                row("# hi\n---\na: 1\n", "{\"a\":1}"),
                row("\n\n\n---\na: 1\n", "{\"a\":1}"),
                row("---\n---\na: 1\n---\n\n---\n", "{\"a\":1}"),
                row("a: 1\n---", "{\"a\":1}"),
                row("a: 1\n...\n---\nb: 2\n", "{\"a\":1}", "{\"b\":2}"),
                row("a: 1\r\n---\r\nb: 2\r\n", "{\"a\":1}", "{\"b\":2}"),
                row("a: 1\n ---\nb: 2\n", "{\"a\":\"1 ---\",\"b\":2}"),
                row("a: |\n  x\n---\nb: 2\n", "{\"a\":\"x\\n\"}", "{\"b\":2}"),
                row("a: |\n  x\n  ---\n  y\nb: 2\n", "{\"a\":\"x\\n---\\ny\\n\",\"b\":2}"),
                row("{\"b\":1,\n \"a\": 2}", "{\"b\":1,\n \"a\": 2}"),
                row("{\"b\":1}{\"a\":2}", "{\"b\":1}", "{\"a\":2}"),
                row("{\"b\":1}\n\n{\"a\":2}\n", "{\"b\":1}", "{\"a\":2}"),
                row("{\"a\":1}\nnull\n{\"b\":2}", "{\"a\":1}", "{\"b\":2}"),
                row("{\"a\":1}\n3\n{\"b\":2}", "{\"a\":1}", "3", "{\"b\":2}"),
                row("{\"a\":1}\n---\nb: 2", "{\"a\":1}", "{\"b\":2}"),
                row("[{\"b\":1},{\"a\":2}]", "[{\"b\":1},{\"a\":2}]"),
                row("---\n{\"b\":1, \"a\":2}", "{\"a\":2,\"b\":1}"),
                row("\uFEFF{\"b\":1, \"a\":2}", "{\"a\":2,\"b\":1}"),
                row("{\"a\":\"<&>\"}", "{\"a\":\"<&>\"}"),
                row("a: \"<&>\"", "{\"a\":\"\\u003c\\u0026\\u003e\"}"),
                row("{\"f\":1.0,\"e\":1e3}", "{\"f\":1.0,\"e\":1e3}"),
                row("f: 1.0", "{\"f\":1}"),
                row("Loading\n---\na: 1", "\"Loading\"", "{\"a\":1}"),
                row("m: {y: 1, b: 2}", "{\"m\":{\"b\":2,\"true\":1}}"));
    }

    /// Output of which Argo CD drops a part, what is left of it, and the line on which the lost part begins.
    static Stream<Arguments> losses() {
        return Stream.of(
                Arguments.of("a: 1\n...\nb: 2\n", List.of("{\"a\":1}"), 1, 3),
                Arguments.of("{\"z\":0}\n---\n{\"a\":1}\n{\"b\":2}", List.of("{\"z\":0}", "{\"a\":1}"), 2, 4),
                Arguments.of("---\n{\"a\":1}\n{\"b\":2}", List.of("{\"a\":1}"), 1, 3),
                Arguments.of("# c\n{\"a\":1}\n{\"b\":2}", List.of("{\"a\":1}"), 1, 3),
                Arguments.of("a: 1\n---\n[1,2] x", List.of("{\"a\":1}", "[1,2]"), 2, 3));
    }

    private static Arguments row(String output, String... documents) {
        return Arguments.of(output, List.of(documents));
    }

    private static List<String> split(byte[] output, SplitOptions options) {
        return ManifestSplitter.split(output, options).stream()
                .map(document -> new String(document.json(), UTF_8))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void splitsAsArgoCdDoes(String output, List<String> documents) {
        assertThat(split(output.getBytes(UTF_8), SplitOptions.ARGOCD)).isEqualTo(documents);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void splitsTheSameByDefaultWhereNothingIsLost(String output, List<String> documents) {
        assertThat(split(output.getBytes(UTF_8), SplitOptions.STRICT)).isEqualTo(documents);
    }

    @ParameterizedTest
    @MethodSource("losses")
    void losesWhatArgoCdLosesWhenTold(String output, List<String> left, int number, int line) {
        assertThat(split(output.getBytes(UTF_8), SplitOptions.ARGOCD)).isEqualTo(left);
    }

    @ParameterizedTest
    @MethodSource("losses")
    void refusesLossesByDefaultWithDocumentAndLine(String output, List<String> left, int number, int line) {
        assertThatThrownBy(() -> split(output.getBytes(UTF_8), SplitOptions.STRICT))
                .isInstanceOfSatisfying(Fault.class, f -> assertThat(f.code()).isEqualTo(FaultCode.OUTPUT_LOST))
                .hasMessageStartingWith("document " + number + " ")
                .hasMessageContaining("what follows from line " + line + " on");
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void splitsAsTheRealDecoderDoes(GoResults.Row row) {
        if (row.error()) {
            Fault fault = catchThrowableOfType(Fault.class, () -> split(row.text(), SplitOptions.ARGOCD));
            assertThat(fault).as("refuses").isNotNull();
            assertThat(Fault.words(fault).replaceFirst("yaml: line \\d+: ", "yaml: "))
                    .startsWith(row.results().getFirst());
        } else {
            List<String> expected =
                    row.results().stream().filter(text -> !text.isEmpty()).toList();
            assertThat(split(row.text(), SplitOptions.ARGOCD)).isEqualTo(expected);
        }
    }
}

package dev.remora.manifest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class ManifestSplitterTest {
    private static List<ManifestDocument> split(String output) {
        return ManifestSplitter.split(output.getBytes(UTF_8), SplitOptions.STRICT);
    }

    private static AbstractThrowableAssert<?, ?> refusal(byte[] output, SplitOptions options, FaultCode code) {
        return assertThatThrownBy(() -> ManifestSplitter.split(output, options))
                .isInstanceOfSatisfying(Fault.class, f -> assertThat(f.code()).isEqualTo(code));
    }

    private static AbstractThrowableAssert<?, ?> refusal(String output) {
        return refusal(output.getBytes(UTF_8), SplitOptions.STRICT, FaultCode.OUTPUT_INVALID);
    }

    @Test
    void removesOneTrailingNewlineOnly() {
        assertThat(ManifestSplitter.trimmed("a\n\n".getBytes(UTF_8))).asString().isEqualTo("a\n");
        assertThat(ManifestSplitter.trimmed("a".getBytes(UTF_8))).asString().isEqualTo("a");
        assertThat(ManifestSplitter.trimmed(new byte[0])).isEmpty();
    }

    @Test
    void documentsKnowTheirNumberAndLine() {
        List<ManifestDocument> documents = split("# head\n---\na: 1\n---\n# nothing\n---\n\nb: 2\n");

        assertThat(documents).extracting(ManifestDocument::number).containsExactly(2, 4);
        assertThat(documents).extracting(ManifestDocument::line).containsExactly(3, 8);
    }

    @Test
    void jsonDocumentsKnowTheirNumberAndLineToo() {
        List<ManifestDocument> documents = split("{\"a\":\n1}\nnull\n\n{\"b\":2}");

        assertThat(documents).extracting(ManifestDocument::number).containsExactly(1, 3);
        assertThat(documents).extracting(ManifestDocument::line).containsExactly(1, 5);
    }

    @Test
    void yamlBehindJsonGoesOnCounting() {
        List<ManifestDocument> documents = split("{\"a\":\n1}\n---\nb: 2\n---\nc: 3\n");

        assertThat(documents).extracting(ManifestDocument::number).containsExactly(1, 2, 3);
        assertThat(documents).extracting(ManifestDocument::line).containsExactly(1, 4, 6);
    }

    @Test
    void linesOfFaultsCountFromTheBeginningOfTheOutput() {
        refusal("a: 1\n---\nb: 2\n---\nc: d: e\n")
                .hasMessage(
                        "failed to unmarshal manifest: error converting YAML to JSON: yaml: line 5: mapping values are"
                                + " not allowed in this context (document 3, line 5, column 5 of the output)");
        refusal("a: 1\n---\nb: 2\n--- |\n")
                .hasMessage("failed to unmarshal manifest: invalid Yaml document separator: | (line 4 of the output)");
    }

    @Test
    void jsonFaultsHaveUpstreamsOffsetAndOurPlace() {
        refusal("{\"a\":1} xyz")
                .hasMessage("failed to unmarshal manifest: json: offset 9: invalid character 'x' looking for"
                        + " beginning of value (line 1, column 9 of the output)");
        refusal("{\"a\":1").hasMessageStartingWith("failed to unmarshal manifest: unexpected EOF");
        refusal("{\"a\":1}\n{\"b\":2}\n---\n{\"c\":3}")
                .hasMessageStartingWith("failed to unmarshal manifest: invalid character '-' in numeric literal");
    }

    @Test
    void faultsOfMeaningNameTheirLineAndNoValue() {
        refusal("a: 1\nb: !!int topsecret\n")
                .hasMessageContaining("yaml: line 2: cannot decode !!str as a !!int")
                .hasMessageNotContaining("topsecret");
        refusal("a: .inf\n")
                .hasMessage(
                        "failed to unmarshal manifest: error converting YAML to JSON: json: unsupported value: +Inf");
    }

    @Test
    void aByteThatIsNotUtf8IsRefusedWithItsOffset() {
        byte[] yaml = "a: 1\nb: caf\u00e9\n".getBytes(ISO_8859_1);
        byte[] json = "{\"b\":\"caf\u00e9\"}".getBytes(ISO_8859_1);

        refusal(yaml, SplitOptions.STRICT, FaultCode.OUTPUT_NOT_UTF8)
                .hasMessage("the output holds a byte that is not UTF-8: byte 11 (0xe9) on line 2");
        refusal(json, SplitOptions.STRICT, FaultCode.OUTPUT_NOT_UTF8);
    }

    @Test
    void argoCdPassesOnRawBytesInJsonOnly() {
        byte[] json = "{\"b\":\"caf\u00e9\"}".getBytes(ISO_8859_1);

        assertThat(ManifestSplitter.split(json, SplitOptions.ARGOCD))
                .singleElement()
                .satisfies(document -> assertThat(document.json()).isEqualTo(json));
        refusal("b: caf\u00e9\n".getBytes(ISO_8859_1), SplitOptions.ARGOCD, FaultCode.OUTPUT_INVALID)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void allLostPartsAreToldAtOnce() {
        assertThatThrownBy(() -> split("a: 1\n...\nb: 2\n---\n{c: 1}\n{d: 2}\n"))
                .isInstanceOfSatisfying(
                        Fault.class, f -> assertThat(f.problems()).hasSize(2))
                .hasMessageContaining("line 3")
                .hasMessageContaining("line 6");
    }

    @Test
    void theJsonOfAllDocumentsIsLimited() {
        var options = new SplitOptions(false, false, 10);

        refusal("a: 123\n---\nb: 456\n".getBytes(UTF_8), options, FaultCode.OUTPUT_TOO_LARGE);
        refusal("{\"a\":1}{\"b\":2}".getBytes(UTF_8), options, FaultCode.OUTPUT_TOO_LARGE);
    }

    @Test
    void objectsAreCountedWithListsTakenApart() {
        assertThat(split("kind: A\n---\nitems: [{kind: B}, {kind: C}]\n---\nitems: []\n---\nkind: D\nitems: null\n"))
                .extracting(ManifestDocument::objects)
                .containsExactly(1, 2, 0, 0);
    }
}

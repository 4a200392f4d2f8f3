package dev.remora.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class OutputGuardTest {
    private static final String OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n";

    private static List<ManifestDocument> split(String output, OutputRules rules) {
        return ManifestSplitter.split(output.getBytes(UTF_8), SplitOptions.STRICT, new OutputGuard(rules));
    }

    private static AbstractThrowableAssert<?, ?> refusal(String output, OutputRules rules, FaultCode code) {
        return assertThatThrownBy(() -> split(output, rules))
                .isInstanceOfSatisfying(Fault.class, f -> assertThat(f.code()).isEqualTo(code));
    }

    private static AbstractThrowableAssert<?, ?> refusal(String output, FaultCode code) {
        return refusal(output, OutputRules.DEFAULT, code);
    }

    @Test
    void objectsPass() {
        assertThat(split(OBJECT + "---\n" + OBJECT, OutputRules.DEFAULT)).hasSize(2);
    }

    @Test
    void refusesWhatIsNoObject() {
        refusal("Loading\n---\n" + OBJECT, FaultCode.OUTPUT_NOT_OBJECT)
                .hasMessageStartingWith("document 1, line 1: no Kubernetes object: it is a text");
        refusal("[1]\n", FaultCode.OUTPUT_NOT_OBJECT).hasMessageContaining("it is a list");
        refusal("{\"a\":1}\n3", FaultCode.OUTPUT_NOT_OBJECT)
                .hasMessageContaining("document 1, line 1: no Kubernetes object: apiVersion and kind are missing")
                .hasMessageContaining("document 2, line 2: no Kubernetes object: it is a number");
        refusal("apiVersion: v1\nspec: {}\n", FaultCode.OUTPUT_NOT_OBJECT)
                .hasMessageContaining("kind is missing; it has the keys [apiVersion, spec]");
        refusal("apiVersion: v1\nkind: 3\n", FaultCode.OUTPUT_NOT_OBJECT).hasMessageContaining("kind is missing");
    }

    @Test
    void refusalNamesKeysAndNoValues() {
        refusal("password: hunter2\n", FaultCode.OUTPUT_NOT_OBJECT).hasMessageNotContaining("hunter2");
    }

    @Test
    void looksIntoLists() {
        refusal(
                        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n- oops: 1\n",
                        FaultCode.OUTPUT_NOT_OBJECT)
                .hasMessageStartingWith("document 1, line 6, items[1]: no Kubernetes object");
    }

    @Test
    void objectsOnlyCanBeSwitchedOff() {
        var rules = new OutputRules(false, List.of(), false, false);

        assertThat(split("Loading\n", rules)).hasSize(1);
    }

    @Test
    void refusesCipherTextByKeyPathWithoutTheValue() {
        refusal("""
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: db}
                        stringData:
                          tls.key: x
                          password: ENC[AES256_GCM,data:abc,tag:def]
                        list:
                        - [a, "x ENC[AES256_GCM,y"]
                        """, FaultCode.OUTPUT_FORBIDDEN)
                .hasMessageContaining("document 1 (Secret/db), line 6: stringData.password holds SOPS cipher text")
                .hasMessageContaining("line 8: list[0][1] holds SOPS cipher text")
                .hasMessageNotContaining("abc");
    }

    @Test
    void refusesASopsBlock() {
        refusal(OBJECT + "sops: {mac: x, version: 3.9}\n", FaultCode.OUTPUT_FORBIDDEN)
                .hasMessageStartingWith("document 1, line 1 (ConfigMap/settings): a top-level sops block");
        assertThat(split(OBJECT + "data: {sops: {a: 1}}\n", OutputRules.DEFAULT))
                .hasSize(1);
    }

    @Test
    void cipherTextCanBeAllowed() {
        var rules = new OutputRules(false, List.of(), true, true);

        assertThat(split(OBJECT + "sops: {mac: \"ENC[AES256_GCM,x]\"}\n", rules))
                .hasSize(1);
    }

    @Test
    void ownPatternsAreSearchedInKeysAndScalars() {
        var rules = new OutputRules(false, List.of("\\?\\{vault", "^1\\d{3}$"), false, true);

        refusal(OBJECT + "data: {a: 'x ?{vault:y}'}\n", rules, FaultCode.OUTPUT_FORBIDDEN)
                .hasMessageContaining("data.a holds text that output.forbid refuses (\\?\\{vault)");
        refusal(OBJECT + "data: {\"?{vault:k}\": 1}\n", rules, FaultCode.OUTPUT_FORBIDDEN)
                .hasMessageContaining("a key of data holds");
        refusal(OBJECT + "port: 1234\n", rules, FaultCode.OUTPUT_FORBIDDEN).hasMessageContaining("port holds");
    }

    @Test
    void wordsInCommentsAreNoContent() {
        assertThat(split(OBJECT + "# ENC[AES256_GCM, is how it begins\n", OutputRules.DEFAULT))
                .hasSize(1);
    }

    @Test
    void aPatternThatIsNotRe2IsAFaultOfTheConfiguration() {
        var rules = new OutputRules(false, List.of("(?=x)"), false, true);

        assertThatThrownBy(() -> new OutputGuard(rules))
                .isInstanceOfSatisfying(Fault.class, f -> assertThat(f.code()).isEqualTo(FaultCode.CONFIG_INVALID))
                .hasMessageContaining("(?=x)");
    }

    @Test
    void nothingAtAllIsRefusedAndSaysWhatTheCommandSaid() {
        var guard = new OutputGuard(OutputRules.DEFAULT);

        assertThatThrownBy(() -> guard.checkNotEmpty(List.of(), "\nError: no such chart\nmore", 27))
                .isInstanceOfSatisfying(Fault.class, f -> assertThat(f.code()).isEqualTo(FaultCode.OUTPUT_EMPTY))
                .hasMessageContaining("exit code 0 and printed no object")
                .hasMessageContaining("27 bytes to standard error, first line: Error: no such chart")
                .hasMessageNotContaining("more");
        assertThatThrownBy(() -> guard.checkNotEmpty(List.of(), "", 0))
                .hasMessageContaining("nothing to standard error");
    }

    @Test
    void anEmptyListIsEmptyToo() {
        List<ManifestDocument> empty = split("apiVersion: v1\nkind: List\nitems: []\n", OutputRules.DEFAULT);

        assertThatThrownBy(() -> new OutputGuard(OutputRules.DEFAULT).checkNotEmpty(empty, "", 0))
                .hasMessageContaining("printed only empty lists");
    }

    @Test
    void emptyCanBeAllowed() {
        var rules = new OutputRules(true, List.of(), false, true);

        assertThatCode(() -> new OutputGuard(rules).checkNotEmpty(List.of(), "", 0))
                .doesNotThrowAnyException();
    }

    @Test
    void argoCdsRulesRefuseNothing() {
        assertThat(split("sops: {a: b}\n---\nx\n", OutputRules.ARGOCD)).hasSize(2);
    }

    @Test
    void checksDocumentsAfterwardsToo() {
        List<ManifestDocument> documents = ManifestSplitter.split("a: 1\n".getBytes(UTF_8), SplitOptions.STRICT);

        assertThatThrownBy(() -> new OutputGuard(OutputRules.DEFAULT).check(documents))
                .hasMessageContaining("no Kubernetes object");
    }

    @Test
    void manyFindingsAreCutWithTheirNumber() {
        assertThatThrownBy(() -> split("x\n---\n".repeat(50), OutputRules.DEFAULT))
                .isInstanceOfSatisfying(
                        Fault.class, f -> assertThat(f.problems()).hasSize(21))
                .hasMessageEndingWith("and 30 more");
    }
}

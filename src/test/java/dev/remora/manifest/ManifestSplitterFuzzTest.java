package dev.remora.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;
import java.util.Set;

/// Whatever a command prints, splitting ends in documents or in a fault of the output, and our rules accept only what
/// Argo
/// CD's accept, with the same documents.
class ManifestSplitterFuzzTest {
    private static final int MOST_JSON = 16 << 20;
    private static final SplitOptions OURS = new SplitOptions(false, false, MOST_JSON);
    private static final SplitOptions ARGOCD = new SplitOptions(true, true, MOST_JSON);
    private static final Set<FaultCode> EXPECTED = Set.of(
            FaultCode.OUTPUT_INVALID,
            FaultCode.OUTPUT_LOST,
            FaultCode.OUTPUT_NOT_UTF8,
            FaultCode.OUTPUT_NOT_OBJECT,
            FaultCode.OUTPUT_FORBIDDEN,
            FaultCode.OUTPUT_TOO_LARGE);

    @FuzzTest(maxDuration = "60s")
    void endsInDocumentsOrAFault(byte[] output) {
        List<ManifestDocument> documents;
        try {
            documents = ManifestSplitter.split(output, OURS, new OutputGuard(OutputRules.DEFAULT));
        } catch (Fault refused) {
            assertThat(refused.code()).isIn(EXPECTED);
            documents = List.of();
        }
        try {
            List<ManifestDocument> theirs = ManifestSplitter.split(output, ARGOCD);
            if (!documents.isEmpty()) {
                assertThat(theirs)
                        .extracting(document -> new String(document.json(), java.nio.charset.StandardCharsets.UTF_8))
                        .isEqualTo(documents.stream()
                                .map(document -> new String(document.json(), java.nio.charset.StandardCharsets.UTF_8))
                                .toList());
            }
        } catch (Fault refused) {
            assertThat(refused.code()).isIn(EXPECTED);
            assertThat(documents).isEmpty();
        }
    }
}

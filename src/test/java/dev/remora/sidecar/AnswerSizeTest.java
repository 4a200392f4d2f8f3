package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.generation.GeneratedManifests;
import dev.remora.manifest.ManifestDocument;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The size by which an answer is kept or not is the one that it has on the wire.
class AnswerSizeTest {
    @Test
    void isThatOfTheMessageForEveryLengthOfALength() {
        List<ManifestDocument> documents = new ArrayList<>();
        for (int length : new int[] {0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152}) {
            documents.add(new ManifestDocument(new byte[length], 1, 1, 1));
            GeneratedManifests made = new GeneratedManifests(documents, "");

            assertThat(GenerateManifestCall.messageBytes(made))
                    .as("%d documents, the last of %d bytes", documents.size(), length)
                    .isEqualTo(GenerateManifestCall.message(made).getSerializedSize());
        }
        assertThat(GenerateManifestCall.messageBytes(new GeneratedManifests(List.of(), "said")))
                .isZero();
    }
}

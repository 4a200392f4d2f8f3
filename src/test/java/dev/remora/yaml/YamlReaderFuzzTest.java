package dev.remora.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.charset.StandardCharsets;

/// Whatever the bytes, reading ends in a tree or in a fault; and what was read is written and read back the same.
class YamlReaderFuzzTest {
    private static final int MOST_JSON = 16 << 20;
    private static final YamlReader READER = new YamlReader("fuzz", FaultCode.OUTPUT_INVALID);

    @FuzzTest(maxDuration = "60s")
    void endsInATreeOrAFault(byte[] bytes) {
        YamlNode root;
        byte[] json;
        try {
            root = READER.read(bytes);
            json = GoJson.bytes(root, MOST_JSON);
        } catch (Fault refused) {
            assertThat(refused.code()).isIn(FaultCode.OUTPUT_INVALID, FaultCode.OUTPUT_TOO_LARGE);
            return;
        }
        assertThat(GoJson.text(new JsonReader("json", FaultCode.INTERNAL).read(json)))
                .isEqualTo(new String(json, StandardCharsets.UTF_8));
        if (json.length < 1 << 16) {
            String yaml = YamlWriter.text(root);
            assertThat(GoJson.text(READER.read(yaml.getBytes(StandardCharsets.UTF_8))))
                    .isEqualTo(new String(json, StandardCharsets.UTF_8).replace("\\ufffd", "\uFFFD"));
        }
    }
}

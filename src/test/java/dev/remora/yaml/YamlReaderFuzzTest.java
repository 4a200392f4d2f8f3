package dev.remora.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.charset.StandardCharsets;

/// Whatever the bytes, reading ends in a tree or in a fault; and what was read is written and read back the same.
class YamlReaderFuzzTest {
    private static final int MOST_JSON = 16 << 20;
    private static final int MOST_YAML = 1 << 16;
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
        String expected = comparable(new String(json, StandardCharsets.UTF_8));
        YamlNode again = new JsonReader("json", FaultCode.INTERNAL).read(json);
        assertThat(comparable(GoJson.text(again))).isEqualTo(expected);
        if (json.length < MOST_YAML) {
            byte[] yaml = YamlWriter.text(root).getBytes(StandardCharsets.UTF_8);
            assertThat(comparable(GoJson.text(READER.read(yaml)))).isEqualTo(expected);
        }
    }

    /// A byte of `!!binary` that was no UTF-8 is written as an escape, and is a character when read back.
    private static String comparable(String json) {
        return json.replace("\\ufffd", "\uFFFD");
    }
}

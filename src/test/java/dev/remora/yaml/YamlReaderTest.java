package dev.remora.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class YamlReaderTest {
    private static YamlNode read(String text) {
        return new YamlReader("app.yaml", FaultCode.CONFIG_INVALID).read(text.getBytes(UTF_8));
    }

    private static YamlReader.First first(String text, int line) {
        byte[] bytes = text.getBytes(UTF_8);
        byte[] padded = Arrays.copyOf(bytes, bytes.length + YamlReader.PADDING);
        return new YamlReader("output", FaultCode.OUTPUT_INVALID).first(padded, 0, bytes.length, line);
    }

    @Test
    void knowsThePlaceOfEveryKeyAndValue() {
        YamlNode root = read("# c\nspec:\n  é: [1, {b: x}]\n");

        var spec = (YamlNode.Mapping) root;
        assertThat(spec.line()).isEqualTo(2);
        var inner = (YamlNode.Mapping) spec.get("spec").orElseThrow();
        YamlNode.Entry entry = inner.entries().getFirst();
        assertThat(entry.line()).isEqualTo(3);
        assertThat(entry.column()).isEqualTo(3);
        var list = (YamlNode.Sequence) entry.value();
        assertThat(list.column()).isEqualTo(6);
        var map = (YamlNode.Mapping) list.items().get(1);
        assertThat(map.entries().getFirst().value().column()).isEqualTo(14);
    }

    @Test
    void faultNamesFileLineColumnAndCode() {
        assertThatThrownBy(() -> read("a: 1\nb: [1,\nc: d: e\n"))
                .isInstanceOfSatisfying(Fault.class, f -> assertThat(f.code()).isEqualTo(FaultCode.CONFIG_INVALID))
                .hasMessage("app.yaml:3:5: did not find expected ',' or ']'");
        assertThatThrownBy(() -> read("a: b: c\n"))
                .hasMessage("app.yaml:1:5: mapping values are not allowed in this context");
    }

    @Test
    void countsLinesFromTheLineGiven() {
        assertThat(first("a: 1\n", 40).root().line()).isEqualTo(40);
        assertThatThrownBy(() -> first("a: 1\n\u0001", 40))
                .hasMessage("output:41:1: control characters are not allowed");
    }

    @Test
    void saysWhereLostTextBegins() {
        assertThat(first("a: 1\n...\n\n# c\nb: 2\n", 10).lostLine()).isEqualTo(14);
        assertThat(first("{a: 1}\n{b: 2}\n", 1).lostLine()).isEqualTo(2);
        assertThat(first("[1] x\n", 1).lostLine()).isEqualTo(1);
        assertThat(first("a: 1\n...\n`@\n", 1).lostLine()).isEqualTo(3);
        assertThat(first("a: 1\n...\n# only a comment\n...\n", 1).lostLine()).isZero();
        assertThat(first("a: 1\n", 1).lostLine()).isZero();
    }

    @Test
    void readsOnlyTheFirstDocument() {
        assertThat(GoJson.text(read("a: 1\n---\n\"broken\n"))).isEqualTo("{\"a\":1}");
        assertThat(read("---\n---\na: 1\n")).isInstanceOf(YamlNode.Null.class);
    }

    @Test
    void depthCostsNoStack() throws InterruptedException {
        String flow = "[".repeat(10_000) + "]".repeat(10_000);
        String tooDeep = "[".repeat(10_001);
        var block = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            block.append(" ".repeat(i)).append("a:\n");
        }
        var failures = new java.util.concurrent.CopyOnWriteArrayList<Throwable>();
        Thread small = new Thread(
                null,
                () -> {
                    assertThat(GoJson.text(read(flow))).hasSize(20_000);
                    assertThatThrownBy(() -> read(tooDeep)).hasMessageContaining("exceeded max depth of 10000");
                    assertThat(GoJson.text(read(block.toString()))).startsWith("{\"a\":{\"a\":");
                    assertThat(YamlWriter.text(read(flow))).isNotEmpty();
                },
                "small stack",
                128 << 10);
        small.setUncaughtExceptionHandler((thread, e) -> failures.add(e));

        small.start();
        small.join();

        assertThat(failures).isEmpty();
    }

    @Test
    void nestingByAliasesIsLimitedWhenWritten() {
        var text = new StringBuilder("a0: &a0 " + "[".repeat(9_000) + "]".repeat(9_000) + "\n");
        text.append("a1: ")
                .append("[".repeat(9_000))
                .append("*a0")
                .append("]".repeat(9_000))
                .append("\n");
        YamlNode root = read(text.toString());

        assertThatThrownBy(() -> GoJson.text(root)).hasMessageContaining("exceeded max depth");
    }

    @Test
    @Timeout(10)
    void refusesFewLinesThatStandForBillions() {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(10)));
        }

        assertThatThrownBy(() -> read(bomb.toString())).hasMessageContaining("document contains excessive aliasing");
    }

    @Test
    @Timeout(20)
    void longStringsThatAliasesRepeatAreLimitedWhenWritten() {
        YamlNode root = read("a: &a \"" + "x".repeat(1 << 20) + "\"\nb: [" + "*a, ".repeat(900) + "]\n");

        assertThatThrownBy(() -> GoJson.bytes(root, 64 << 20))
                .isInstanceOfSatisfying(Fault.class, f -> assertThat(f.code()).isEqualTo(FaultCode.OUTPUT_TOO_LARGE));
    }

    @Test
    void workIsLinearInTheText() {
        String[] unpleasant = {
            "- ", "[", "{a: ", "? ", "a\n", "a: b\n", "&a ", "!a ", "'x' ", "#c\n", "\n", " ", "|\n", "'", "\"\\x41"
        };
        for (String piece : unpleasant) {
            String text = piece.repeat((2 << 20) / piece.length());
            long started = System.nanoTime();
            try {
                read(text);
            } catch (Fault expected) {
                assertThat(expected.code()).isEqualTo(FaultCode.CONFIG_INVALID);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - started)).as(piece).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void aPlainEqualsSignIsText() {
        assertThat(GoJson.text(read("a: =\n=: b\n"))).isEqualTo("{\"=\":\"b\",\"a\":\"=\"}");
    }
}

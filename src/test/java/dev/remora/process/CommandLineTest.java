package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// docs/spec/processes.md, "Naming a command".
class CommandLineTest {
    @Test
    void joinsArgumentsAndQuotesThoseWithWhiteSpace() {
        assertThat(rendered("sh", "-c", "cat")).isEqualTo("sh -c cat");
        assertThat(rendered("sh", "-c", "echo \"hello world\"")).isEqualTo("sh -c \"echo \\\"hello world\\\"\"");
        assertThat(rendered("sh", "-c", "")).isEqualTo("sh -c \"\"");
        assertThat(rendered()).isEmpty();
    }

    @Test
    void leavesOtherOddCharactersAlone() {
        assertThat(rendered("a\"b", "$(x)", "é", "\\")).isEqualTo("a\"b $(x) é \\");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "9|\\t",
                "10|\\n",
                "11|\\v",
                "12|\\f",
                "13|\\r",
                "133|\\u0085",
                "160|\\u00a0",
                "5760|\\u1680",
                "8232|\\u2028",
                "12288|\\u3000"
            })
    void everyUnicodeBlankCausesQuotes(int blank, String escaped) {
        assertThat(rendered("a" + Character.toString(blank))).isEqualTo("\"a" + escaped + "\"");
    }

    @Test
    void escapesWhatIsNotPrintableAndBytesThatAreNotUtf8() {
        Bytes odd = Bytes.of(new byte[] {' ', 7, 1, 0x7f, (byte) 0xff, (byte) 0xe0, (byte) 0x80, 'z'});

        assertThat(CommandLine.rendered(List.of(odd))).isEqualTo("\" \\a\\x01\\x7f\\xff\\xe0\\x80z\"");
        assertThat(rendered(" \u00ad \ue000 \ud83d\ude00 \udb40\udc01"))
                .isEqualTo("\" \\u00ad \\ue000 \ud83d\ude00 \\U000e0001\"");
    }

    private static String rendered(String... argv) {
        return CommandLine.rendered(Stream.of(argv).map(Bytes::utf8).toList());
    }
}

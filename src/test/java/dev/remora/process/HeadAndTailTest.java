package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadAndTailTest {
    private static final int ALL = HeadAndTail.HEAD + HeadAndTail.TAIL;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, HeadAndTail.HEAD, HeadAndTail.HEAD + 1, ALL - 1, ALL})
    void keepsAllOfAShortText(int length) {
        String text = letters(length);

        assertThat(fed(text.getBytes(StandardCharsets.UTF_8), 1000).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {ALL + 1, ALL + 777, 3 * ALL + 5})
    void leavesOutTheMiddleOfALongOneAndSaysHowMuch(int length) {
        String text = letters(length);

        HeadAndTail kept = fed(text.getBytes(StandardCharsets.UTF_8), 1000);

        assertThat(kept.seen()).isEqualTo(length);
        assertThat(kept.text())
                .isEqualTo(text.substring(0, HeadAndTail.HEAD) + "\n… " + (length - ALL) + " bytes left out …\n"
                        + text.substring(length - HeadAndTail.TAIL));
    }

    @Test
    void cutsBetweenCharactersAndCountsTheLeftOut() {
        byte[] text = ("x" + "€".repeat(ALL)).getBytes(StandardCharsets.UTF_8);

        String kept = fed(text, 4096).text();

        assertThat(kept).doesNotContain("\ufffd");
        int shown = kept.replaceAll("\n… \\d+ bytes left out …\n", "").getBytes(StandardCharsets.UTF_8).length;
        assertThat(kept).contains("\n… " + (text.length - shown) + " bytes left out …\n");
    }

    @Test
    void replacesWhatIsNotUtf8() {
        assertThat(fed(new byte[] {'a', (byte) 0xff, 'b'}, 10).text()).isEqualTo("a\ufffdb");
    }

    private static HeadAndTail fed(byte[] bytes, int piece) {
        HeadAndTail kept = new HeadAndTail(HeadAndTail.HEAD);
        for (int from = 0; from < bytes.length; from += piece) {
            kept.add(java.util.Arrays.copyOfRange(bytes, from, Math.min(from + piece, bytes.length)));
        }
        return kept;
    }

    private static String letters(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + i % 23));
        }
        return text.toString();
    }
}

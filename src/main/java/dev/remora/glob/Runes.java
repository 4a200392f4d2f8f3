package dev.remora.glob;

import java.util.Arrays;

/// UTF-8 as Go decodes it: a byte that begins no valid character is U+FFFD, one byte wide.
final class Runes {
    static final int ERROR = 0xFFFD;

    private static final int FIRST_OF_TWO_BYTES = 0x80;
    private static final int FIRST_OF_THREE_BYTES = 0x800;
    private static final int FIRST_OF_FOUR_BYTES = 0x10000;
    private static final int PAYLOAD_BITS = 6;
    private static final int PAYLOAD_MASK = 0x3F;

    private Runes() {}

    /// The character at `at`; `at` is below `to`.
    static int at(byte[] text, int at, int to) {
        int lead = text[at] & 0xFF;
        if (lead < FIRST_OF_TWO_BYTES) {
            return lead;
        }
        int width = announcedWidth(lead);
        if (width == 0 || at + width > to) {
            return ERROR;
        }
        int rune = lead & (0xFF >> (width + 1));
        for (int i = at + 1; i < at + width; i++) {
            if ((text[i] & 0xC0) != 0x80) {
                return ERROR;
            }
            rune = (rune << PAYLOAD_BITS) | (text[i] & PAYLOAD_MASK);
        }
        return isShortest(rune, width) ? rune : ERROR;
    }

    /// How many bytes the character `rune`, read by [#at], takes.
    static int width(byte[] text, int at, int to, int rune) {
        if (rune != ERROR) {
            return encodedWidth(rune);
        }
        boolean written = at + 2 < to
                && (text[at] & 0xFF) == 0xEF
                && (text[at + 1] & 0xFF) == 0xBF
                && (text[at + 2] & 0xFF) == 0xBD;
        return written ? 3 : 1;
    }

    /// All characters of a text.
    static int[] all(byte[] text) {
        int[] runes = new int[text.length];
        int count = 0;
        int at = 0;
        while (at < text.length) {
            int rune = at(text, at, text.length);
            runes[count++] = rune;
            at += width(text, at, text.length, rune);
        }
        return Arrays.copyOf(runes, count);
    }

    private static int announcedWidth(int lead) {
        if (lead >= 0xC2 && lead <= 0xDF) {
            return 2;
        }
        if (lead >= 0xE0 && lead <= 0xEF) {
            return 3;
        }
        return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
    }

    private static int encodedWidth(int rune) {
        if (rune < FIRST_OF_TWO_BYTES) {
            return 1;
        }
        if (rune < FIRST_OF_THREE_BYTES) {
            return 2;
        }
        return rune < FIRST_OF_FOUR_BYTES ? 3 : 4;
    }

    private static boolean isShortest(int rune, int width) {
        boolean surrogate = rune >= Character.MIN_SURROGATE && rune <= Character.MAX_SURROGATE;
        return encodedWidth(rune) == width && !surrogate && rune <= Character.MAX_CODE_POINT;
    }
}

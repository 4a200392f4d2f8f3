package dev.remora.manifest;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A command's output as bytes, and Go's notion of white space in it.
final class OutputText {
    private OutputText() {}

    /// Go's `unicode.IsSpace`.
    static boolean isSpace(int c) {
        return switch (c) {
            case '\t', '\n', 0x0B, '\f', '\r', ' ', 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000 -> true;
            default -> c >= 0x2000 && c <= 0x200A;
        };
    }

    /// Go's `strings.TrimSpace`.
    static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    /// The line, from 1, on which the byte `at` stands.
    static int lineOf(byte[] text, int at) {
        int line = 1;
        for (int i = 0; i < at; i++) {
            if (text[i] == '\n') {
                line++;
            }
        }
        return line;
    }

    /// The character at `i` and its length in bytes; -1 when there is none.
    static int codePoint(byte[] text, int i) {
        int length = length(text[i]);
        if (i + length > text.length) {
            return -1;
        }
        String one = new String(text, i, length, StandardCharsets.UTF_8);
        return one.length() == Character.charCount(one.codePointAt(0)) && one.charAt(0) != '\uFFFD'
                ? one.codePointAt(0)
                : -1;
    }

    static int length(byte lead) {
        if (lead >= 0) {
            return 1;
        }
        return (lead & 0xE0) == 0xC0 ? 2 : (lead & 0xF0) == 0xE0 ? 3 : (lead & 0xF8) == 0xF0 ? 4 : 1;
    }

    /// The first byte that belongs to no UTF-8 character, or -1.
    static int firstMalformed(byte[] text) {
        return firstMalformed(text, 0);
    }

    /// As [#firstMalformed(byte[])], from the beginning of a character on.
    static int firstMalformed(byte[] text, int from) {
        for (int i = from; i < text.length; ) {
            if (text[i] >= 0) {
                i++;
                continue;
            }
            int length = length(text[i]);
            byte[] one = Arrays.copyOfRange(text, i, Math.min(text.length, i + length));
            if (!Arrays.equals(new String(one, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), one)) {
                return i;
            }
            i += length;
        }
        return -1;
    }
}

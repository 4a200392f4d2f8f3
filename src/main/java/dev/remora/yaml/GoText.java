package dev.remora.yaml;

import java.nio.charset.StandardCharsets;

/// Text as Go has it: bytes that need not be UTF-8, ordered by them.
///
/// A byte that is no part of a UTF-8 character becomes a lone low surrogate, which no text that was read can hold
/// otherwise; [GoJson] writes it as Go does.
public final class GoText {
    private static final char BROKEN = 0xDC80;

    private GoText() {}

    static String decode(byte[] data) {
        if (Utf8.firstMalformed(data, 0, data.length) < 0) {
            return new String(data, StandardCharsets.UTF_8);
        }
        var text = new StringBuilder(data.length);
        for (int i = 0; i < data.length; ) {
            int c = Utf8.codePoint(data, i, data.length);
            if (c < 0) {
                text.append(BROKEN);
                i++;
            } else {
                text.appendCodePoint(c);
                i += Utf8.length(data[i]);
            }
        }
        return text.toString();
    }

    /// The order of the UTF-8 forms, which UTF-16 does not have: surrogates stand for characters above U+FFFF.
    public static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                return Integer.compare(weight(x), weight(y));
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    private static int weight(char c) {
        if (c < 0xD800) {
            return c;
        }
        return c > 0xDFFF ? c - 0x800 : c + 0x2000;
    }

    /// Go's `strings.EqualFold`: equal but for the case of single characters, also the long s and the Kelvin sign.
    public static boolean equalFold(String a, String b) {
        return a.equalsIgnoreCase(b);
    }
}

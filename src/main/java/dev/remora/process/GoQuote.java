package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.telemetry.GoPrintable;
import java.nio.charset.StandardCharsets;

/// Text in double quotes as Go's `%q` writes it: what is not printable, and every byte that is not UTF-8, escaped.
final class GoQuote {
    private static final String SIMPLE = "abtnvfr";
    private static final String SIMPLE_VALUES = "\u0007\b\t\n\u000b\f\r";

    private GoQuote() {}

    static String quoted(Bytes value) {
        StringBuilder out = new StringBuilder("\"");
        byte[] bytes = value.toArray();
        int at = 0;
        while (at < bytes.length) {
            int length = Utf8.lengthAt(bytes, at);
            if (length == 0) {
                out.append("\\x%02x".formatted(bytes[at] & 0xff));
                at++;
            } else {
                append(out, new String(bytes, at, length, StandardCharsets.UTF_8).codePointAt(0));
                at += length;
            }
        }
        return out.append('"').toString();
    }

    private static void append(StringBuilder out, int c) {
        int simple = SIMPLE_VALUES.indexOf(c);
        if (c == '"' || c == '\\') {
            out.append('\\').appendCodePoint(c);
        } else if (simple >= 0) {
            out.append('\\').append(SIMPLE.charAt(simple));
        } else if (GoPrintable.test(c)) {
            out.appendCodePoint(c);
        } else if (c < ' ' || c == 0x7f) {
            out.append("\\x%02x".formatted(c));
        } else if (c > 0xffff) {
            out.append("\\U%08x".formatted(c));
        } else {
            out.append("\\u%04x".formatted(c));
        }
    }
}

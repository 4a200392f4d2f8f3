package dev.remora.yaml;

import java.util.HexFormat;

/// Strings of JSON text that is known to be right, decoded as Go does: what is no UTF-8 and surrogates without a
/// partner
/// become U+FFFD.
final class JsonStrings {
    private static final char UNKNOWN = '\uFFFD';

    private JsonStrings() {}

    /// The text between the quotes.
    static String decode(byte[] text, int from, int to) {
        var decoded = new StringBuilder(to - from);
        for (int i = from; i < to; ) {
            if (text[i] == '\\') {
                i = escape(text, i + 1, to, decoded);
                continue;
            }
            int c = Utf8.codePoint(text, i, to);
            if (c < 0) {
                decoded.append(UNKNOWN);
                i++;
            } else {
                decoded.appendCodePoint(c);
                i += Utf8.length(text[i]);
            }
        }
        return decoded.toString();
    }

    private static int escape(byte[] text, int at, int to, StringBuilder decoded) {
        switch (text[at]) {
            case 'b' -> decoded.append('\b');
            case 'f' -> decoded.append('\f');
            case 'n' -> decoded.append('\n');
            case 'r' -> decoded.append('\r');
            case 't' -> decoded.append('\t');
            case 'u' -> {
                return unicode(text, at + 1, to, decoded);
            }
            default -> decoded.append((char) text[at]);
        }
        return at + 1;
    }

    private static int unicode(byte[] text, int at, int to, StringBuilder decoded) {
        char unit = unit(text, at);
        int next = at + 4;
        if (Character.isHighSurrogate(unit) && next + 6 <= to && text[next] == '\\' && text[next + 1] == 'u') {
            char low = unit(text, next + 2);
            if (Character.isLowSurrogate(low)) {
                decoded.append(unit).append(low);
                return next + 6;
            }
        }
        decoded.append(Character.isSurrogate(unit) ? UNKNOWN : unit);
        return next;
    }

    private static char unit(byte[] text, int at) {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            unit = unit << 4 | HexFormat.fromHexDigit(text[at + i]);
        }
        return (char) unit;
    }

    /// A byte as Go shows it in messages: as the character of that number, in single quotes.
    static String quoted(byte b) {
        int c = b & 0xFF;
        String shown = switch (c) {
            case '\'' -> "\\'";
            case '"' -> "\"";
            case '\\' -> "\\\\";
            case 7 -> "\\a";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            case 11 -> "\\v";
            default -> plain(c);
        };
        return "'" + shown + "'";
    }

    private static String plain(int c) {
        boolean shows = (c >= ' ' && c < 0x7F) || (c > 0xA0 && c != 0xAD);
        if (shows) {
            return Character.toString(c);
        }
        return (c < 0x80 ? "\\x" : "\\u00") + HexFormat.of().toHexDigits((byte) c);
    }
}

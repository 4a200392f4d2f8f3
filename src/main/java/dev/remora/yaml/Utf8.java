package dev.remora.yaml;

/// Checks of UTF-8 text by its bytes.
final class Utf8 {
    private Utf8() {}

    /// Bytes of the character that begins with `lead`; 1 for a byte that cannot begin one.
    static int length(byte lead) {
        if (lead >= 0) {
            return 1;
        }
        if ((lead & 0xE0) == 0xC0) {
            return 2;
        }
        if ((lead & 0xF0) == 0xE0) {
            return 3;
        }
        return (lead & 0xF8) == 0xF0 ? 4 : 1;
    }

    /// The first place in `[from, to)` that is not UTF-8, or -1.
    static int firstMalformed(byte[] text, int from, int to) {
        for (int i = from; i < to; ) {
            if (text[i] >= 0) {
                i++;
                continue;
            }
            if (codePoint(text, i, to) < 0) {
                return i;
            }
            i += length(text[i]);
        }
        return -1;
    }

    /// The first place in `[from, to)` with a byte that is not UTF-8 or a character that YAML refuses, or -1: controls
    /// other than tab, LF, CR and NEL, and U+FFFE and U+FFFF.
    static int firstRefused(byte[] text, int from, int to) {
        for (int i = from; i < to; ) {
            byte b = text[i];
            if ((b >= ' ' && b < 0x7F) || b == '\n' || b == '\t' || b == '\r') {
                i++;
                continue;
            }
            if (b >= 0) {
                return i;
            }
            int c = codePoint(text, i, to);
            if (c < 0 || (c < 0xA0 && c != 0x85) || c == 0xFFFE || c == 0xFFFF) {
                return i;
            }
            i += length(b);
        }
        return -1;
    }

    /// The character at `i`, or -1 when the bytes there are not one.
    static int codePoint(byte[] text, int i, int to) {
        byte lead = text[i];
        if (lead >= 0) {
            return lead;
        }
        int length = length(lead);
        if (length == 1 || i + length > to) {
            return -1;
        }
        int c = lead & (0x7F >> length);
        for (int k = 1; k < length; k++) {
            if ((text[i + k] & 0xC0) != 0x80) {
                return -1;
            }
            c = (c << 6) | (text[i + k] & 0x3F);
        }
        boolean shortest = switch (length) {
            case 2 -> c >= 0x80;
            case 3 -> c >= 0x800;
            default -> c >= 0x10000;
        };
        return !shortest || (c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF ? -1 : c;
    }

    /// Why YAML refuses what begins at `i`, in go-yaml's words.
    static String refusal(byte[] text, int i, int to) {
        if (codePoint(text, i, to) >= 0) {
            return "control characters are not allowed";
        }
        int length = length(text[i]);
        if (length == 1) {
            return "invalid leading UTF-8 octet";
        }
        if (i + length > to) {
            return "incomplete UTF-8 octet sequence";
        }
        for (int k = 1; k < length; k++) {
            if ((text[i + k] & 0xC0) != 0x80) {
                return "invalid trailing UTF-8 octet";
            }
        }
        int lead = text[i] & 0xFF;
        int second = text[i + 1] & 0xFF;
        boolean tooLong = lead < 0xC2 || (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
        return tooLong ? "invalid length of a UTF-8 sequence" : "invalid Unicode character";
    }
}

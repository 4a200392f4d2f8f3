package dev.remora.telemetry;

import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Log values as JSON text and as Go's quoted text. Small, since a library for it would be loaded at every start.
final class JsonText {
    private static final HexFormat HEX = HexFormat.of();

    private JsonText() {}

    /// An object with sorted keys; `<`, `>` and `&` escaped as logrus does.
    static void object(StringBuilder out, Map<?, ?> map, Mask mask) {
        out.append('{');
        boolean first = true;
        Map<?, ?> sorted = map instanceof SortedMap ? map : new TreeMap<>(map);
        for (Map.Entry<?, ?> entry : sorted.entrySet()) {
            if (!first) {
                out.append(',');
            }
            first = false;
            string(out, String.valueOf(entry.getKey()));
            out.append(':');
            value(out, entry.getValue(), mask);
        }
        out.append('}');
    }

    private static void value(StringBuilder out, Object value, Mask mask) {
        switch (value) {
            case Double number when !Double.isFinite(number) -> string(out, number.toString());
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth.booleanValue());
            case Map<?, ?> map -> object(out, map, mask);
            default -> string(out, mask.apply(value.toString()));
        }
    }

    static void string(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ' || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
                        out.append("\\u").append(HEX.toHexDigits(c));
                    } else if (Character.isSurrogate(c) && !paired(text, i)) {
                        out.append('\ufffd');
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /// Go's `%q`: escapes for what does not print.
    static void quotedAsGo(StringBuilder out, String text) {
        out.append('"');
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case 7 -> out.append("\\a");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case 11 -> out.append("\\v");
                default -> {
                    if (c < ' ' || c == 0x7f) {
                        out.append("\\x").append(HEX.toHexDigits((byte) c));
                    } else if (GoPrintable.test(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append(c > 0xffff ? "\\U" + HEX.toHexDigits(c) : "\\u" + HEX.toHexDigits((char) c));
                    }
                }
            }
        });
        out.append('"');
    }

    private static boolean paired(String text, int i) {
        char c = text.charAt(i);
        return Character.isHighSurrogate(c)
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}

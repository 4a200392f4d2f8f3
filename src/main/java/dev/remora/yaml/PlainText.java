package dev.remora.yaml;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// How a text is written in YAML so that readers of YAML 1.1 and of 1.2 both see that text.
final class PlainText {
    /// Texts of these characters need no quotes, unless they mean something: no indicator begins them, no colon ends
    /// them, and blanks stand only between words. A `#` never follows a blank.
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9_./][\\w./@%+=~^()$;<>*?&!|'\",\\[\\]{}#:-]*"
            + "( [\\w./@%+=~^()$;<>*?&!|'\",\\[\\]{}:-][\\w./@%+=~^()$;<>*?&!|'\",\\[\\]{}#:-]*)*");
    private static final Pattern COLON = Pattern.compile(":( |$)");
    /// Anything that looks like a number, a time, a date or a base-60 number to some reader.
    private static final Pattern NUMBERLIKE = Pattern.compile("[-+.]?[0-9][0-9a-fA-FxXoOtTzZ_:.,+ -]*|\\.[0-9a-zA-Z]*");
    private static final Set<String> WORDS = Set.of(
            "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<", ".inf", ".nan", "+.inf",
            "-.inf");
    private static final int LONG_KEY = 512;

    private PlainText() {}

    static boolean needsNoQuotes(String text) {
        return HARMLESS.matcher(text).matches()
                && !COLON.matcher(text).find()
                && !NUMBERLIKE.matcher(text).matches()
                && !WORDS.contains(text.toLowerCase(Locale.ROOT))
                && !text.startsWith("...");
    }

    /// Whether a key of this text must be announced by `?`: keys without it are limited in length.
    static boolean isLongKey(String text) {
        return text.length() > LONG_KEY;
    }

    /// Whether a block scalar can hold the text as it is: lines of visible characters, none of which begins the block
    /// with a blank or is blank at its end.
    static boolean fitsBlock(String text) {
        if (text.indexOf('\n') < 0 || text.isBlank() || text.startsWith(" ") || text.startsWith("\n")) {
            return false;
        }
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (c != '\n' && c != '\t' && !isVisible(c)) {
                return false;
            }
            i += Character.charCount(c);
        }
        return !text.startsWith("\t") && !text.contains(" \n") && !text.contains("\t\n") && !text.endsWith(" ");
    }

    /// In double quotes, with everything escaped that some reader refuses or folds.
    static String quoted(String text) {
        var out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (isVisible(c)) {
                        out.appendCodePoint(c);
                    } else if (c < 0x100) {
                        out.append("\\x%02X".formatted(c));
                    } else {
                        // a lone surrogate stands for a byte that was no UTF-8, and has no escape
                        boolean broken = c >= 0xD800 && c <= 0xDFFF;
                        out.append("\\u%04X".formatted(broken ? 0xFFFD : c));
                    }
                }
            }
            i += Character.charCount(c);
        }
        return out.append('"').toString();
    }

    private static boolean isVisible(int c) {
        if (c < 0xA0) {
            return c >= ' ' && c < 0x7F;
        }
        boolean surrogate = c >= 0xD800 && c <= 0xDFFF;
        return !surrogate && c != 0x2028 && c != 0x2029 && c != 0xFEFF && c != 0xFFFE && c != 0xFFFF;
    }
}

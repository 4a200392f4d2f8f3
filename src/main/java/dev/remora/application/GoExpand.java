package dev.remora.application;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Go's `os.Expand` (docs/spec/environment.md, "Substitution"): `$name`, `${name}`, one special character or digit;
/// `$$` is a dollar; a dollar before anything else stays; bad braces are dropped.
final class GoExpand {
    private static final String SPECIAL = "*#$@!?-0123456789";

    private GoExpand() {}

    static String expand(String text, Function<String, @Nullable String> lookUp) {
        StringBuilder out = new StringBuilder(text.length());
        int at = 0;
        int literalFrom = 0;
        while (at < text.length()) {
            if (text.charAt(at) != '$' || at + 1 == text.length()) {
                at++;
                continue;
            }
            out.append(text, literalFrom, at);
            Name name = nameAfterDollar(text, at + 1);
            if (name.keepDollar()) {
                out.append('$');
            } else if (name.text().equals("$")) {
                out.append('$');
            } else if (!name.text().isEmpty()) {
                String value = lookUp.apply(name.text());
                out.append(value == null ? "" : value);
            }
            at = name.end();
            literalFrom = at;
        }
        return out.append(text, literalFrom, text.length()).toString();
    }

    /// What follows a dollar; `end` is where the text goes on.
    private record Name(String text, int end, boolean keepDollar) {}

    private static Name nameAfterDollar(String text, int from) {
        char first = text.charAt(from);
        if (first == '{') {
            return nameInBraces(text, from);
        }
        if (SPECIAL.indexOf(first) >= 0) {
            return new Name(String.valueOf(first), from + 1, false);
        }
        int end = from;
        while (end < text.length() && isNameCharacter(text.charAt(end))) {
            end++;
        }
        return new Name(text.substring(from, end), end, end == from);
    }

    private static Name nameInBraces(String text, int brace) {
        int from = brace + 1;
        int close = text.indexOf('}', from);
        if (close < 0) {
            return new Name("", from, false);
        }
        return new Name(text.substring(from, close), close + 1, false);
    }

    private static boolean isNameCharacter(char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}

package dev.remora.glob;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A piece of a zglob pattern. Each can say the regular expression that zglob makes of it.
sealed interface MaskPart {
    String regex();

    /// One character.
    record Literal(int rune) implements MaskPart {
        @Override
        public String regex() {
            boolean plain = rune == '/' || (rune < 0x80 && Character.isLetterOrDigit(rune)) || rune > 0xFF;
            return plain ? Character.toString(rune) : "[" + hex(rune) + "]";
        }
    }

    /// `*`: a run without `/`.
    record Run() implements MaskPart {
        @Override
        public String regex() {
            return "[^/]*";
        }
    }

    /// `**/`: nothing, or anything without a line break up to a `/`.
    record Folders() implements MaskPart {
        @Override
        public String regex() {
            return "(.*/)?";
        }
    }

    /// `[content]`, which zglob hands to the regular expression as it is; also what it makes of an escaped character
    /// beyond U+00FF.
    record Set(String content) implements MaskPart {
        @Override
        public String regex() {
            return "[" + content + "]";
        }

        /// Whether the set ends at its own bracket: a backslash, an opening bracket or a lone `^` in it may swallow it.
        boolean selfContained() {
            boolean hexadecimal = content.startsWith("\\x") && content.indexOf('\\', 1) < 0;
            return !content.equals("^") && content.indexOf('[') < 0 && (hexadecimal || content.indexOf('\\') < 0);
        }
    }

    /// `{a,b}`: one of several literals, which may be empty.
    record Choice(List<List<Literal>> alternatives) implements MaskPart {
        @Override
        public String regex() {
            return alternatives.stream()
                    .map(literals -> literals.stream().map(Literal::regex).collect(Collectors.joining()))
                    .collect(Collectors.joining("|", "(", ")"));
        }
    }

    /// A character in `!(…)`: a run without it and without `/`.
    record RunWithout(int rune) implements MaskPart {
        @Override
        public String regex() {
            return "[^" + hex(rune) + "/]*";
        }
    }

    /// As Go prints `\x%02X`: more than two digits beyond U+00FF, of which a regular expression takes two.
    static String hex(int rune) {
        String digits = Integer.toHexString(rune).toUpperCase(Locale.ROOT);
        return "\\x" + (digits.length() == 1 ? "0" + digits : digits);
    }
}

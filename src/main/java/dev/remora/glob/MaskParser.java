package dev.remora.glob;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.remora.posix.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Reads an absolute, clean zglob pattern.
///
/// zglob translates the pattern character by character into a regular expression. Its quirks are kept: a bracket that
/// is never closed is a set (or a choice) of all that follows, and then what follows stands once more; a backslash as
/// last or last but one character is a character.
final class MaskParser {
    private static final int LAST_ASCII = 0x7F;
    private static final int NONE = -1;

    private final int[] text;
    private final List<MaskPart> parts = new ArrayList<>();
    private final StringBuilder fixed = new StringBuilder();
    private boolean inFixed = true;
    private int invalidEscape = NONE;
    private int at;

    private MaskParser(int[] text) {
        this.text = text;
    }

    /// The mask; [PatternSyntaxException] when a set is malformed.
    static Mask parse(Bytes pattern) {
        return read(pattern).mask();
    }

    /// The pieces of a pattern.
    static List<MaskPart> parts(Bytes pattern) {
        return List.copyOf(read(pattern).parts);
    }

    private static MaskParser read(Bytes pattern) {
        var parser = new MaskParser(Runes.all(pattern.toArray()));
        while (parser.at < parser.text.length) {
            parser.next();
        }
        if (pattern.equals(CleanPath.ROOT)) {
            parser.parts.add(new MaskPart.Run());
        }
        return parser;
    }

    private Mask mask() {
        String regex = parts.stream().map(MaskPart::regex).collect(Collectors.joining("", "^", "$"));
        Pattern whole = Pattern.compile(regex);
        if (invalidEscape != NONE) {
            throw new PatternSyntaxException("invalid escape sequence", "\\" + Character.toString(invalidEscape));
        }
        var folder = new FixedFolder(Bytes.utf8(fixed.substring(0, Math.max(fixed.lastIndexOf("/"), 0)) + "/"));
        boolean regular = parts.stream().allMatch(part -> !(part instanceof MaskPart.Set set) || set.selfContained());
        return regular ? new AutomatonMask(parts, folder) : new RegexMask(whole, folder);
    }

    private void next() {
        switch (text[at]) {
            case '\\' -> escaped();
            case '*' -> star();
            case '[' -> set();
            case '{' -> choice();
            case '!' -> runsWithout();
            default -> literal(text[at++]);
        }
    }

    private void escaped() {
        if (at + 2 >= text.length) {
            literal(text[at++]);
            return;
        }
        int rune = text[at + 1];
        parts.add(rune > 0xFF ? new MaskPart.Set(MaskPart.hex(rune)) : new MaskPart.Literal(rune));
        extendFixed(rune);
        at += 2;
    }

    private void star() {
        inFixed = false;
        boolean folders = at + 2 < text.length && text[at + 1] == '*' && text[at + 2] == '/';
        parts.add(folders ? new MaskPart.Folders() : new MaskPart.Run());
        at += folders ? 3 : 1;
    }

    private void set() {
        inFixed = false;
        Optional<Integer> close = find(']', at + 1);
        int end = close.orElse(text.length);
        if (end > at + 1) {
            noteEscapes(at + 1, end);
            parts.add(new MaskPart.Set(new String(text, at + 1, end - at - 1)));
        }
        at = close.orElse(at) + 1;
    }

    /// Go refuses an escaped character beyond ASCII in a set, after all other mistakes; RE2J takes it.
    private void noteEscapes(int from, int to) {
        for (int i = from; i + 1 < to; i++) {
            if (text[i] == '\\') {
                i++;
                if (text[i] > LAST_ASCII && invalidEscape == NONE) {
                    invalidEscape = text[i];
                }
            }
        }
    }

    private void choice() {
        inFixed = false;
        Optional<Integer> close = find('}', at + 1);
        int end = close.orElse(text.length);
        if (end > at + 1) {
            parts.add(alternatives(at + 1, end));
            at = close.orElse(at) + 1;
        } else {
            at = close.orElse(at);
            literal(text[at++]);
        }
    }

    private MaskPart alternatives(int from, int to) {
        var alternatives = new ArrayList<List<MaskPart.Literal>>();
        var current = new ArrayList<MaskPart.Literal>();
        for (int i = from; i < to; i++) {
            if (text[i] == ',') {
                alternatives.add(List.copyOf(current));
                current.clear();
            } else {
                current.add(new MaskPart.Literal(text[i]));
            }
        }
        alternatives.add(List.copyOf(current));
        return new MaskPart.Choice(List.copyOf(alternatives));
    }

    private void runsWithout() {
        if (at + 1 >= text.length || text[at + 1] != '(') {
            literal(text[at++]);
            return;
        }
        at++;
        Optional<Integer> close = find(')', at + 1);
        int end = close.orElse(text.length);
        for (int i = at + 1; i < end; i++) {
            parts.add(new MaskPart.RunWithout(text[i]));
        }
        boolean empty = end == at + 1;
        at = close.orElse(at);
        if (empty) {
            literal(text[at]);
        }
        at++;
    }

    private void literal(int rune) {
        parts.add(new MaskPart.Literal(rune));
        extendFixed(rune);
    }

    private void extendFixed(int rune) {
        if (inFixed) {
            fixed.appendCodePoint(rune);
        }
    }

    private Optional<Integer> find(int wanted, int from) {
        for (int i = from; i < text.length; i++) {
            if (text[i] == wanted) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }
}

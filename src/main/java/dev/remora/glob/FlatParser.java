package dev.remora.glob;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the text of a [FlatPattern]: `*` and `**` any text, `?` one character, `[abc]`, `[a-z]` and `[!…]` one
/// of a set, `{a,b}` alternatives, `\` takes the next character as it is. A bracket holds either characters or
/// one range. A brace that is not closed ends with the pattern, one that was not opened is a character.
final class FlatParser {
    private static final char ESCAPE = '\\';
    private static final char CLOSE = ']';
    /// Go's decoder cannot tell it from a broken character.
    private static final int BROKEN = 0xFFFD;

    /// Far more than anybody writes, and little for the stack.
    private static final int MOST_DEPTH = 100;

    private final int[] text;
    private int position;

    private FlatParser(int[] text) {
        this.text = text;
    }

    static Optional<List<FlatPart>> parse(String pattern) {
        int nul = pattern.indexOf(0);
        FlatParser parser = new FlatParser(
                (nul < 0 ? pattern : pattern.substring(0, nul)).codePoints().toArray());
        if (pattern.codePoints().anyMatch(c -> c == BROKEN)) {
            return Optional.empty();
        }
        try {
            return Optional.of(parser.whole());
        } catch (Malformed _) {
            return Optional.empty();
        }
    }

    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;
    }

    /// A brace that is open: the alternatives that ended, and the one that is being read.
    private static final class Group {
        final List<List<FlatPart>> ended = new ArrayList<>();
        List<FlatPart> open = new ArrayList<>();

        FlatPart.Choice close() {
            ended.add(open);
            return new FlatPart.Choice(ended);
        }
    }

    private List<FlatPart> whole() throws Malformed {
        List<Group> groups = new ArrayList<>(List.of(new Group()));
        while (position < text.length) {
            Group group = groups.getLast();
            boolean inside = groups.size() > 1;
            int c = text[position++];
            if (c == '{') {
                if (groups.size() > MOST_DEPTH) {
                    throw new Malformed();
                }
                groups.add(new Group());
            } else if (c == ',' && inside) {
                group.ended.add(group.open);
                group.open = new ArrayList<>();
            } else if (c == '}' && inside) {
                closeLast(groups);
            } else {
                single(c).ifPresent(group.open::add);
            }
        }
        while (groups.size() > 1) {
            closeLast(groups);
        }
        return groups.getFirst().open;
    }

    private static void closeLast(List<Group> groups) {
        FlatPart.Choice choice = groups.removeLast().close();
        groups.getLast().open.add(choice);
    }

    /// Nothing for a backslash at the end.
    private Optional<FlatPart> single(int c) throws Malformed {
        return switch (c) {
            case '*' -> Optional.of(star());
            case '?' -> Optional.of(new FlatPart.One(any -> true));
            case '[' -> Optional.of(set());
            case ESCAPE -> position < text.length ? Optional.of(literal(text[position++])) : Optional.empty();
            default -> Optional.of(literal(c));
        };
    }

    /// One or two.
    private FlatPart star() {
        if (position < text.length && text[position] == '*') {
            position++;
        }
        return new FlatPart.Any();
    }

    private static FlatPart literal(int c) {
        return new FlatPart.Exact(c);
    }

    private FlatPart set() throws Malformed {
        boolean negated = next() == '!';
        if (!negated) {
            position--;
        }
        int first = next();
        if (position < text.length && text[position] == '-') {
            position++;
            return range(first, next(), negated);
        }
        position--;
        return listed(negated);
    }

    private FlatPart range(int low, int high, boolean negated) throws Malformed {
        if (next() != CLOSE || high < low) {
            throw new Malformed();
        }
        return new FlatPart.One(c -> (c >= low && c <= high) != negated);
    }

    private FlatPart listed(boolean negated) throws Malformed {
        List<Integer> characters = new ArrayList<>();
        int c = next();
        while (c != CLOSE) {
            characters.add(c == ESCAPE ? next() : c);
            c = next();
        }
        if (characters.isEmpty()) {
            throw new Malformed();
        }
        return new FlatPart.One(other -> characters.contains(other) != negated);
    }

    private int next() throws Malformed {
        if (position == text.length) {
            throw new Malformed();
        }
        return text[position++];
    }
}

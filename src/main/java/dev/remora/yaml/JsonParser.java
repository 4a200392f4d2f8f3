package dev.remora.yaml;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Reads JSON values one after another from bytes, accepting and refusing exactly what Go's `encoding/json` does: any
/// byte from 0x20 on inside strings, also one that is not UTF-8 (U+FFFD then); nesting up to 10,000, without recursion.
final class JsonParser {
    private static final int MAX_DEPTH = 10_000;

    private final byte[] text;
    private final int end;
    private final int base;
    private int position;
    private int line;
    private int lineStart;
    /// Bytes of this line that are no character of their own.
    private int continuations;

    private final ArrayDeque<Level> levels = new ArrayDeque<>();

    /// A collection that is being read. Changes.
    private static final class Level {
        final boolean object;
        final List<YamlNode.Entry> entries = new ArrayList<>(0);
        final List<YamlNode> items = new ArrayList<>(0);
        final int line;
        final int column;
        String key = "";
        int keyLine;
        int keyColumn;

        Level(boolean object, int line, int column) {
            this.object = object;
            this.line = line;
            this.column = column;
        }

        void add(YamlNode node) {
            if (object) {
                entries.add(new YamlNode.Entry(key, keyLine, keyColumn, node));
            } else {
                items.add(node);
            }
        }

        YamlNode node() {
            return object ? new YamlNode.Mapping(entries, line, column) : new YamlNode.Sequence(items, line, column);
        }
    }

    /// Reads `[from, to)`; the first line is called `firstLine`. Offsets in failures count from `from`.
    JsonParser(byte[] text, int from, int to, int firstLine) {
        this.text = text;
        this.base = from;
        this.position = from;
        this.lineStart = from;
        this.end = to;
        this.line = firstLine;
    }

    int position() {
        return position;
    }

    int line() {
        return line;
    }

    int column() {
        return position - lineStart - continuations + 1;
    }

    /// Passes white space; false at the end of the text.
    boolean more() {
        skipSpace();
        return position < end;
    }

    /// The value that begins here, behind white space.
    YamlNode value() {
        levels.clear();
        while (true) {
            skipSpace();
            byte first = here();
            if (first == '{' || first == '[') {
                if (!enter(first == '{')) {
                    continue;
                }
            } else {
                YamlNode scalar = scalar(first);
                if (levels.isEmpty()) {
                    return scalar;
                }
                levels.getLast().add(scalar);
            }
            while (leave()) {
                YamlNode closed = levels.removeLast().node();
                if (levels.isEmpty()) {
                    return closed;
                }
                levels.getLast().add(closed);
            }
        }
    }

    /// Opens a collection and goes to its first value; true when it is empty, at its closing mark then.
    private boolean enter(boolean object) {
        if (levels.size() == MAX_DEPTH) {
            throw wrong("exceeded max depth");
        }
        levels.addLast(new Level(object, line, column()));
        position++;
        skipSpace();
        if (here() == (object ? '}' : ']')) {
            return true;
        }
        if (object) {
            key();
        }
        return false;
    }

    /// Behind a value: passes a comma (false), or the closing mark (true).
    private boolean leave() {
        Level level = levels.getLast();
        skipSpace();
        byte b = here();
        if (b == (level.object ? '}' : ']')) {
            position++;
            return true;
        }
        if (b != ',') {
            throw wrong(level.object ? "after object key:value pair" : "after array element");
        }
        position++;
        if (level.object) {
            skipSpace();
            here();
            key();
        }
        return false;
    }

    private void key() {
        Level level = levels.getLast();
        if (here() != '"') {
            throw wrong("looking for beginning of object key string");
        }
        level.keyLine = line;
        level.keyColumn = column();
        level.key = string();
        skipSpace();
        if (here() != ':') {
            throw wrong("after object key");
        }
        position++;
    }

    private YamlNode scalar(byte first) {
        int atLine = line;
        int atColumn = column();
        return switch (first) {
            case '"' -> new YamlNode.Text(string(), atLine, atColumn);
            case 't' -> {
                literal("true");
                yield new YamlNode.Bool(true, "true", atLine, atColumn);
            }
            case 'f' -> {
                literal("false");
                yield new YamlNode.Bool(false, "false", atLine, atColumn);
            }
            case 'n' -> {
                literal("null");
                yield new YamlNode.Null(atLine, atColumn);
            }
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(atLine, atColumn);
            default -> throw wrong("looking for beginning of value");
        };
    }

    private void literal(String word) {
        for (int i = 0; i < word.length(); i++) {
            String context = "in literal " + word + " (expecting '" + word.charAt(i) + "')";
            if (here(context) != word.charAt(i)) {
                throw wrong(context);
            }
            position++;
        }
    }

    private YamlNode number(int atLine, int atColumn) {
        int start = position;
        boolean integer = true;
        if (here() == '-') {
            position++;
        }
        if (here("in numeric literal") == '0') {
            position++;
        } else {
            digits("in numeric literal");
        }
        if (position < end && text[position] == '.') {
            integer = false;
            position++;
            digits("after decimal point in numeric literal");
        }
        if (position < end && (text[position] == 'e' || text[position] == 'E')) {
            integer = false;
            position++;
            byte sign = here("in exponent of numeric literal");
            if (sign == '+' || sign == '-') {
                position++;
            }
            digits("in exponent of numeric literal");
        }
        String source = new String(text, start, position - start, StandardCharsets.US_ASCII);
        return new YamlNode.Number(source, source, integer, atLine, atColumn);
    }

    private void digits(String otherwise) {
        byte first = here(otherwise);
        if (first < '0' || first > '9') {
            throw wrong(otherwise);
        }
        while (position < end && text[position] >= '0' && text[position] <= '9') {
            position++;
        }
    }

    private String string() {
        position++;
        int start = position;
        boolean simple = true;
        while (here() != '"') {
            byte b = text[position];
            if (b == '\\') {
                simple = false;
                escape();
            } else if (b >= 0 && b < ' ') {
                throw wrong("in string literal");
            } else {
                if (b < 0) {
                    simple = false;
                    if ((b & 0xC0) == 0x80) {
                        continuations++;
                    }
                }
                position++;
            }
        }
        int close = position++;
        return simple
                ? new String(text, start, close - start, StandardCharsets.US_ASCII)
                : JsonStrings.decode(text, start, close);
    }

    private void escape() {
        position++;
        byte letter = here("in string escape code");
        if ("\"\\/bfnrtu".indexOf(letter) < 0) {
            throw wrong("in string escape code");
        }
        position++;
        if (letter == 'u') {
            for (int i = 0; i < 4; i++) {
                byte digit = here("in \\u hexadecimal character escape");
                if (digit < 0 || Character.digit(digit, 16) < 0) {
                    throw wrong("in \\u hexadecimal character escape");
                }
                position++;
            }
        }
    }

    private void skipSpace() {
        while (position < end) {
            byte b = text[position];
            if (b == '\n') {
                line++;
                lineStart = position + 1;
                continuations = 0;
            } else if (b != ' ' && b != '\t' && b != '\r') {
                return;
            }
            position++;
        }
    }

    private byte here() {
        if (position >= end) {
            throw new JsonFailure("unexpected end of JSON input", true, position - base, line, column());
        }
        return text[position];
    }

    /// The byte here, inside a word or number: at the end of the text Go's `Unmarshal` says what it would say of a
    /// blank.
    private byte here(String context) {
        if (position >= end) {
            throw new JsonFailure("invalid character ' ' " + context, true, position - base, line, column());
        }
        return text[position];
    }

    /// The fault that the byte here is wrong.
    JsonFailure wrong(String context) {
        return new JsonFailure(
                "invalid character " + JsonStrings.quoted(text[position]) + " " + context,
                false,
                position - base + 1,
                line,
                column());
    }
}

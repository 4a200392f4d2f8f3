package dev.remora.yaml;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// A place in a UTF-8 text that only moves forward, and knows its line and column.
///
/// The text is followed by [#PADDING] zero bytes, so that looking ahead needs no check; a zero byte is the end, which
/// is unambiguous because [Utf8#firstRefused] refuses zero bytes in a text. Lines end with LF, CR, CR LF, and as in
/// YAML
/// 1.1 also with NEL (U+0085), LS (U+2028) and PS (U+2029).
final class Cursor {
    /// The longest look-ahead: three bytes of a document mark and the character after it, which has at most three.
    static final int PADDING = 8;

    private final byte[] bytes;
    private final int end;
    private int position;
    private int index;
    private int line;
    private int column;

    /// `bytes[to]` and the [#PADDING] bytes after it are zero; the first line is called `firstLine`.
    Cursor(byte[] bytes, int from, int to, int firstLine) {
        this.bytes = bytes;
        this.end = to;
        this.position = from;
        this.line = firstLine;
    }

    int position() {
        return position;
    }

    /// Characters passed since the beginning.
    int index() {
        return index;
    }

    int line() {
        return line;
    }

    /// Characters passed in this line.
    int column() {
        return column;
    }

    byte at(int ahead) {
        return bytes[position + ahead];
    }

    boolean is(char c) {
        return bytes[position] == c;
    }

    boolean atEnd() {
        return bytes[position] == 0 || position >= end;
    }

    boolean atBlank() {
        return blank(0);
    }

    boolean blank(int ahead) {
        byte b = bytes[position + ahead];
        return b == ' ' || b == '\t';
    }

    boolean atBreak() {
        return breakLength(0) > 0;
    }

    boolean breakOrEnd(int ahead) {
        return bytes[position + ahead] == 0 || breakLength(ahead) > 0;
    }

    boolean blankOrEnd(int ahead) {
        byte b = bytes[position + ahead];
        // nearly every call ends here: letters, digits and marks are none of them
        if (b > ' ') {
            return false;
        }
        return b == ' ' || b == '\t' || b == 0 || breakLength(ahead) > 0;
    }

    /// Whether `---` or `...` stands here as a line of its own might begin.
    boolean atDocumentMark() {
        if (column != 0) {
            return false;
        }
        byte b = bytes[position];
        return (b == '-' || b == '.') && bytes[position + 1] == b && bytes[position + 2] == b && blankOrEnd(3);
    }

    private int breakLength(int ahead) {
        int p = position + ahead;
        return switch (bytes[p]) {
            case '\n' -> 1;
            case '\r' -> bytes[p + 1] == '\n' ? 2 : 1;
            case (byte) 0xC2 -> bytes[p + 1] == (byte) 0x85 ? 2 : 0;
            case (byte) 0xE2 ->
                bytes[p + 1] == (byte) 0x80 && (bytes[p + 2] == (byte) 0xA8 || bytes[p + 2] == (byte) 0xA9) ? 3 : 0;
            default -> 0;
        };
    }

    /// Passes one character.
    void skip() {
        position += Utf8.length(bytes[position]);
        index++;
        column++;
    }

    void skip(int characters) {
        for (int i = 0; i < characters; i++) {
            skip();
        }
    }

    void skipBlanks() {
        while (atBlank()) {
            skip();
        }
    }

    void skipToBreak() {
        while (!breakOrEnd(0)) {
            skip();
        }
    }

    /// Passes a line break, if one is here.
    void skipBreak() {
        int length = breakLength(0);
        if (length > 0) {
            index += bytes[position] == '\r' ? length : 1;
            position += length;
            column = 0;
            line++;
        }
    }

    /// Passes a line break and gives what it means inside a scalar: LF, but LS and PS stay what they are.
    String takeBreak() {
        String meaning = switch (breakLength(0)) {
            case 0 -> "";
            case 3 -> bytes[position + 2] == (byte) 0xA8 ? "\u2028" : "\u2029";
            default -> "\n";
        };
        skipBreak();
        return meaning;
    }

    /// The text from `start` to here.
    String since(int start) {
        return new String(bytes, start, position - start, StandardCharsets.UTF_8);
    }

    /// Adds the text from `start` to here to `out`.
    void copySince(int start, ByteArrayOutputStream out) {
        out.write(bytes, start, position - start);
    }

    /// The text from `start` to `end`.
    String between(int start, int end) {
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    /// Goes to the beginning of the line after the end, where a text without a last line break is closed.
    void closeLine() {
        if (column != 0) {
            column = 0;
            line++;
        }
    }

    YamlFailure failure(String problem) {
        return new YamlFailure(problem, line, column + 1);
    }
}

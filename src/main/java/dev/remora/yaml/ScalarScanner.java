package dev.remora.yaml;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Scans scalars: plain, quoted and block, with the folding of their lines.
///
/// Where a quoted or plain scalar goes over several lines, its text is put together in `text`; one on one line is cut
/// out of the source at once. The buffers are kept from scalar to scalar.
final class ScalarScanner {
    /// A buffer that grew beyond this is not kept.
    private static final int KEPT_BUFFER = 1 << 16;

    private final Cursor cursor;
    private ByteArrayOutputStream text = new ByteArrayOutputStream(256);
    private final Folding gap = new Folding();
    private boolean endedAfterBreak;

    ScalarScanner(Cursor cursor) {
        this.cursor = cursor;
    }

    /// Whether the last plain scalar ended at the beginning of a line, where a key may begin.
    boolean endedAfterBreak() {
        return endedAfterBreak;
    }

    Token plain(int indent, boolean flow) {
        int line = cursor.line();
        int column = cursor.column() + 1;
        int begin = cursor.position();
        skipPlainRun(flow);
        int end = cursor.position();
        gap.reset();
        boolean more = end > begin && plainGap(indent, flow);
        if (!more || !goesOn(flow)) {
            endedAfterBreak = gap.broken();
            return Token.scalar(line, column, cursor.between(begin, end), true);
        }
        text.reset();
        append(cursor.between(begin, end));
        while (more && goesOn(flow)) {
            gap.writeTo(text);
            int start = cursor.position();
            skipPlainRun(flow);
            cursor.copySince(start, text);
            gap.reset();
            more = plainGap(indent, flow);
        }
        endedAfterBreak = gap.broken();
        return Token.scalar(line, column, taken(), true);
    }

    /// Whether text of a plain scalar stands here.
    private boolean goesOn(boolean flow) {
        return !cursor.atDocumentMark() && !cursor.is('#') && !cursor.blankOrEnd(0) && !endsPlain(flow);
    }

    private boolean endsPlain(boolean flow) {
        byte b = cursor.at(0);
        return (b == ':' && cursor.blankOrEnd(1)) || (flow && ",?[]{}".indexOf(b) >= 0);
    }

    private void skipPlainRun(boolean flow) {
        while (!cursor.blankOrEnd(0) && !endsPlain(flow)) {
            cursor.skip();
        }
    }

    /// Passes blanks and breaks; false when the scalar cannot go on behind them.
    private boolean plainGap(int indent, boolean flow) {
        if (!cursor.atBlank() && !cursor.atBreak()) {
            return false;
        }
        while (cursor.atBlank() || cursor.atBreak()) {
            if (cursor.atBreak()) {
                gap.addBreak(cursor.takeBreak());
            } else {
                if (gap.broken() && cursor.column() <= indent && cursor.is('\t')) {
                    throw cursor.failure("found a tab character that violates indentation");
                }
                gap.addBlank(cursor.at(0));
                cursor.skip();
            }
        }
        return flow || cursor.column() > indent;
    }

    Token quoted(boolean single) {
        int line = cursor.line();
        int column = cursor.column() + 1;
        char quote = single ? '\'' : '"';
        cursor.skip();
        text.reset();
        while (true) {
            if (cursor.atDocumentMark()) {
                throw cursor.failure("found unexpected document indicator");
            }
            if (cursor.atEnd()) {
                throw cursor.failure("found unexpected end of stream");
            }
            gap.reset();
            quotedRun(single);
            if (cursor.is(quote)) {
                break;
            }
            while (cursor.atBlank() || cursor.atBreak()) {
                if (cursor.atBreak()) {
                    gap.addBreak(cursor.takeBreak());
                } else {
                    gap.addBlank(cursor.at(0));
                    cursor.skip();
                }
            }
            gap.writeTo(text);
        }
        cursor.skip();
        return Token.scalar(line, column, taken(), false);
    }

    /// Up to a blank, a break, the end or the closing quote; an escaped break opens the gap that follows.
    private void quotedRun(boolean single) {
        while (!cursor.blankOrEnd(0)) {
            int start = cursor.position();
            while (!cursor.blankOrEnd(0) && !cursor.is(single ? '\'' : '"') && (single || !cursor.is('\\'))) {
                cursor.skip();
            }
            if (cursor.position() > start) {
                cursor.copySince(start, text);
            } else if (single) {
                if (cursor.at(1) != '\'') {
                    return;
                }
                text.write('\'');
                cursor.skip(2);
            } else if (cursor.is('"')) {
                return;
            } else if (cursor.breakOrEnd(1) && cursor.at(1) != 0) {
                cursor.skip();
                cursor.skipBreak();
                gap.addEscapedBreak();
                return;
            } else {
                escape();
            }
        }
    }

    private void escape() {
        byte letter = cursor.at(1);
        String meaning = switch (letter) {
            case '0' -> "\0";
            case 'a' -> "\u0007";
            case 'b' -> "\b";
            case 't', '\t' -> "\t";
            case 'n' -> "\n";
            case 'v' -> "\u000B";
            case 'f' -> "\f";
            case 'r' -> "\r";
            case 'e' -> "\u001B";
            case ' ' -> " ";
            case '"' -> "\"";
            case '\'' -> "'";
            case '\\' -> "\\";
            case 'N' -> "\u0085";
            case '_' -> "\u00A0";
            case 'L' -> "\u2028";
            case 'P' -> "\u2029";
            case 'x', 'u', 'U' -> "";
            default -> throw cursor.failure("found unknown escape character");
        };
        cursor.skip(2);
        append(meaning.isEmpty() ? numberedEscape(letter == 'x' ? 2 : letter == 'u' ? 4 : 8) : meaning);
    }

    private String numberedEscape(int digits) {
        long value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = cursor.at(i) < 0 ? -1 : Character.digit(cursor.at(i), 16);
            if (digit < 0) {
                throw cursor.failure("did not find expected hexdecimal number");
            }
            value = (value << 4) | digit;
        }
        if ((value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF) {
            throw cursor.failure("found invalid Unicode character escape code");
        }
        cursor.skip(digits);
        return Character.toString((int) value);
    }

    /// A scalar after `|` or `>`; `indent` is that of the block around it.
    Token block(boolean literal, int indent) {
        int line = cursor.line();
        int column = cursor.column() + 1;
        cursor.skip();
        Header header = header();
        endOfHeaderLine();
        int own = header.increment() > 0 ? Math.max(indent, 0) + header.increment() : 0;
        text.reset();
        var breaks = new StringBuilder();
        own = blockBreaks(own, indent, breaks);
        String lineBreak = "";
        boolean blankBefore = false;
        while (cursor.column() == own && !cursor.atEnd()) {
            boolean blankNow = cursor.atBlank();
            if (!literal && lineBreak.startsWith("\n") && !blankBefore && !blankNow) {
                if (breaks.isEmpty()) {
                    text.write(' ');
                }
            } else {
                append(lineBreak);
            }
            append(breaks);
            breaks.setLength(0);
            blankBefore = blankNow;
            int start = cursor.position();
            cursor.skipToBreak();
            cursor.copySince(start, text);
            lineBreak = cursor.takeBreak();
            own = blockBreaks(own, indent, breaks);
        }
        if (header.chomping() != '-') {
            append(lineBreak);
        }
        if (header.chomping() == '+') {
            append(breaks);
        }
        return Token.scalar(line, column, taken(), false);
    }

    /// `chomping` is `+`, `-` or a blank, `increment` the digit given or 0.
    private record Header(char chomping, int increment) {}

    private Header header() {
        char chomping = chomping();
        int increment = 0;
        byte b = cursor.at(0);
        if (b == '0') {
            throw cursor.failure("found an indentation indicator equal to 0");
        }
        if (b > '0' && b <= '9') {
            increment = b - '0';
            cursor.skip();
            if (chomping == ' ') {
                chomping = chomping();
            }
        }
        return new Header(chomping, increment);
    }

    private char chomping() {
        char c = (char) cursor.at(0);
        if (c == '+' || c == '-') {
            cursor.skip();
            return c;
        }
        return ' ';
    }

    private void endOfHeaderLine() {
        cursor.skipBlanks();
        if (cursor.is('#')) {
            cursor.skipToBreak();
        }
        if (!cursor.breakOrEnd(0)) {
            throw cursor.failure("did not find expected comment or line break");
        }
        cursor.skipBreak();
    }

    /// Passes empty lines and the indentation after them; gives the scalar's indentation, found out here when `own`
    /// is 0.
    private int blockBreaks(int own, int indent, StringBuilder breaks) {
        int deepest = 0;
        while (true) {
            while ((own == 0 || cursor.column() < own) && cursor.is(' ')) {
                cursor.skip();
            }
            deepest = Math.max(deepest, cursor.column());
            if ((own == 0 || cursor.column() < own) && cursor.is('\t')) {
                throw cursor.failure("found a tab character where an indentation space is expected");
            }
            if (!cursor.atBreak()) {
                return own > 0 ? own : Math.max(deepest, Math.max(indent + 1, 1));
            }
            breaks.append(cursor.takeBreak());
        }
    }

    private void append(CharSequence more) {
        if (!more.isEmpty()) {
            text.writeBytes(more.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private String taken() {
        String all = text.toString(StandardCharsets.UTF_8);
        if (text.size() > KEPT_BUFFER) {
            text = new ByteArrayOutputStream(256);
        }
        return all;
    }

    /// What stands between two runs of text: blanks, or breaks that fold: one LF to a space, more of them to one less.
    private static final class Folding {
        private final StringBuilder blanks = new StringBuilder();
        private String first = "";
        private final StringBuilder more = new StringBuilder();
        private boolean broken;

        void reset() {
            blanks.setLength(0);
            first = "";
            more.setLength(0);
            broken = false;
        }

        boolean broken() {
            return broken;
        }

        void addBlank(byte blank) {
            if (!broken) {
                blanks.append((char) blank);
            }
        }

        void addBreak(String lineBreak) {
            if (broken) {
                more.append(lineBreak);
            } else {
                first = lineBreak;
                broken = true;
            }
        }

        void addEscapedBreak() {
            broken = true;
        }

        void writeTo(ByteArrayOutputStream text) {
            String meaning;
            if (!broken) {
                for (int i = 0; i < blanks.length(); i++) {
                    text.write(blanks.charAt(i));
                }
                return;
            } else if (first.equals("\n") && more.isEmpty()) {
                meaning = " ";
            } else {
                meaning = first.equals("\n") ? more.toString() : first + more;
            }
            text.writeBytes(meaning.getBytes(StandardCharsets.UTF_8));
        }
    }
}

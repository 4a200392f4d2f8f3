package dev.remora.yaml;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Scans anchors, aliases, tags and directives.
final class NameScanner {
    /// Digits of a number in `%YAML`.
    private static final int MAX_VERSION_DIGITS = 2;

    private final Cursor cursor;

    NameScanner(Cursor cursor) {
        this.cursor = cursor;
    }

    Token anchor() {
        return anchorOrAlias(Token.Type.ANCHOR);
    }

    Token alias() {
        return anchorOrAlias(Token.Type.ALIAS);
    }

    private Token anchorOrAlias(Token.Type type) {
        int line = cursor.line();
        int column = cursor.column() + 1;
        cursor.skip();
        String name = word();
        if (name.isEmpty() || !(cursor.blankOrEnd(0) || "?:,]}%@`".indexOf(cursor.at(0)) >= 0)) {
            throw cursor.failure("did not find expected alphabetic or numeric character");
        }
        return Token.named(type, line, column, name, "");
    }

    /// `!<uri>`, `!handle!suffix`, `!suffix` or `!`.
    Token tag() {
        int line = cursor.line();
        int column = cursor.column() + 1;
        String handle = "";
        String suffix;
        if (cursor.at(1) == '<') {
            cursor.skip(2);
            suffix = uri("");
            if (!cursor.is('>')) {
                throw cursor.failure("did not find the expected '>'");
            }
            cursor.skip();
        } else {
            handle = handle(false);
            if (handle.length() > 1 && handle.endsWith("!")) {
                suffix = uri("");
            } else {
                suffix = uri(handle);
                handle = "!";
                if (suffix.isEmpty()) {
                    handle = "";
                    suffix = "!";
                }
            }
        }
        if (!cursor.blankOrEnd(0)) {
            throw cursor.failure("did not find expected whitespace or line break");
        }
        return Token.named(Token.Type.TAG, line, column, handle, suffix);
    }

    private String handle(boolean directive) {
        if (!cursor.is('!')) {
            throw cursor.failure("did not find expected '!'");
        }
        int start = cursor.position();
        cursor.skip();
        word();
        if (cursor.is('!')) {
            cursor.skip();
        } else if (directive && cursor.position() - start > 1) {
            throw cursor.failure("did not find expected '!'");
        }
        return cursor.since(start);
    }

    /// A tag's text; `head` is what was already read of it, with its `!`, or empty.
    private String uri(String head) {
        var text = new ByteArrayOutputStream();
        text.writeBytes(head.substring(Math.min(1, head.length())).getBytes(StandardCharsets.UTF_8));
        boolean any = !head.isEmpty();
        while (isWord(cursor.at(0)) || ";/?:@&=+$,.!~*'()[]%".indexOf(cursor.at(0)) >= 0) {
            if (cursor.is('%')) {
                escapes(text);
            } else {
                text.write(cursor.at(0));
                cursor.skip();
            }
            any = true;
        }
        if (!any) {
            throw cursor.failure("did not find expected tag URI");
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    /// One character as `%` and two hexadecimal digits for each of its bytes.
    private void escapes(ByteArrayOutputStream text) {
        int left = 0;
        do {
            int high = Character.digit(cursor.at(1), 16);
            int low = cursor.at(1) == 0 ? -1 : Character.digit(cursor.at(2), 16);
            if (!cursor.is('%') || high < 0 || low < 0) {
                throw cursor.failure("did not find URI escaped octet");
            }
            byte octet = (byte) (high << 4 | low);
            if (left == 0) {
                left = Utf8.length(octet);
                if (octet < 0 && left == 1) {
                    throw cursor.failure("found an incorrect leading UTF-8 octet");
                }
            } else if ((octet & 0xC0) != 0x80) {
                throw cursor.failure("found an incorrect trailing UTF-8 octet");
            }
            text.write(octet);
            cursor.skip(3);
            left--;
        } while (left > 0);
    }

    Token directive() {
        int line = cursor.line();
        int column = cursor.column() + 1;
        cursor.skip();
        String name = word();
        if (name.isEmpty()) {
            throw cursor.failure("could not find expected directive name");
        }
        if (!cursor.blankOrEnd(0)) {
            throw cursor.failure("found unexpected non-alphabetical character");
        }
        cursor.skipBlanks();
        Token token = switch (name) {
            case "YAML" -> version(line, column);
            case "TAG" -> tagDirective(line, column);
            default -> throw cursor.failure("found unknown directive name");
        };
        cursor.skipBlanks();
        if (cursor.is('#')) {
            cursor.skipToBreak();
        }
        if (!cursor.breakOrEnd(0)) {
            throw cursor.failure("did not find expected comment or line break");
        }
        cursor.skipBreak();
        return token;
    }

    private Token version(int line, int column) {
        String major = versionNumber();
        if (!cursor.is('.')) {
            throw cursor.failure("did not find expected digit or '.' character");
        }
        cursor.skip();
        return Token.named(Token.Type.VERSION_DIRECTIVE, line, column, major, versionNumber());
    }

    private String versionNumber() {
        int start = cursor.position();
        while (cursor.at(0) >= '0' && cursor.at(0) <= '9') {
            if (cursor.position() - start == MAX_VERSION_DIGITS) {
                throw cursor.failure("found extremely long version number");
            }
            cursor.skip();
        }
        if (cursor.position() == start) {
            throw cursor.failure("did not find expected version number");
        }
        return cursor.since(start);
    }

    private Token tagDirective(int line, int column) {
        String handle = handle(true);
        if (!cursor.atBlank()) {
            throw cursor.failure("did not find expected whitespace");
        }
        cursor.skipBlanks();
        String prefix = uri("");
        if (!cursor.blankOrEnd(0)) {
            throw cursor.failure("did not find expected whitespace or line break");
        }
        return Token.named(Token.Type.TAG_DIRECTIVE, line, column, handle, prefix);
    }

    private String word() {
        int start = cursor.position();
        while (isWord(cursor.at(0))) {
            cursor.skip();
        }
        return cursor.since(start);
    }

    private static boolean isWord(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_' || b == '-';
    }
}

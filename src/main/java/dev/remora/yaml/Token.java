package dev.remora.yaml;

import org.jspecify.annotations.Nullable;

/// A piece of YAML syntax and where it begins. `text` is a scalar's value, an anchor's or alias's name, a tag's or
/// directive's handle; `suffix` the rest of a tag or the prefix of a `%TAG`.
final class Token {
    enum Type {
        STREAM_END,
        VERSION_DIRECTIVE,
        TAG_DIRECTIVE,
        DOCUMENT_START,
        DOCUMENT_END,
        BLOCK_SEQUENCE_START,
        BLOCK_MAPPING_START,
        BLOCK_END,
        FLOW_SEQUENCE_START,
        FLOW_SEQUENCE_END,
        FLOW_MAPPING_START,
        FLOW_MAPPING_END,
        BLOCK_ENTRY,
        FLOW_ENTRY,
        KEY,
        VALUE,
        ALIAS,
        ANCHOR,
        TAG,
        SCALAR
    }

    final Type type;
    final int line;
    final int column;
    final String text;
    final String suffix;
    /// A scalar without quotes, which may mean more than its text.
    final boolean plain;

    /// Set while this token may turn out to begin a key; see [Scanner].
    @Nullable
    SimpleKey key;

    private Token(Type type, int line, int column, String text, String suffix, boolean plain) {
        this.type = type;
        this.line = line;
        this.column = column;
        this.text = text;
        this.suffix = suffix;
        this.plain = plain;
    }

    static Token of(Type type, int line, int column) {
        return new Token(type, line, column, "", "", false);
    }

    static Token named(Type type, int line, int column, String text, String suffix) {
        return new Token(type, line, column, text, suffix, false);
    }

    static Token scalar(int line, int column, String value, boolean plain) {
        return new Token(Type.SCALAR, line, column, value, "", plain);
    }
}

package dev.remora.yaml;

/// JSON values that follow one another in a text, each with the bytes it was written in. Moves forward; not for several
/// threads.
public final class JsonStream {
    private final JsonParser parser;

    /// Reads `[from, to)` of `text`; the first line is called `firstLine`.
    public JsonStream(byte[] text, int from, int to, int firstLine) {
        this.parser = new JsonParser(text, from, to, firstLine);
    }

    /// A step forward.
    public sealed interface Step {}

    /// A value that was written in the bytes from `from` to `to`, from `line` to `endLine`.
    public record Value(YamlNode node, int from, int to, int line, int endLine) implements Step {}

    /// The text ended where a value could have begun.
    public record End() implements Step {}

    /// What stands there is no JSON. `goText` is what Go says of it; `offset` counts the bytes up to and with the wrong
    /// one, and is 0 when the text ended inside a value.
    public record Broken(String goText, int offset, int line, int column) implements Step {}

    /// Reads on; after a [Broken] step nothing more can be read.
    public Step next() {
        if (!parser.more()) {
            return new End();
        }
        int from = parser.position();
        int line = parser.line();
        try {
            YamlNode node = parser.value();
            return new Value(node, from, parser.position(), line, parser.line());
        } catch (JsonFailure e) {
            return e.ended()
                    ? new Broken("unexpected EOF", 0, e.line(), e.column())
                    : new Broken(e.problem(), e.offset(), e.line(), e.column());
        }
    }
}

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

    /// A value that was written in the bytes from `from` to `to`, beginning on `line`.
    public record Value(YamlNode node, int from, int to, int line) implements Step {}

    /// The text ended where a value could have begun.
    public record End() implements Step {}

    /// What stands there is no JSON. `goText` is what Go says of it; `ended` means that the text ended inside a value.
    public record Broken(String goText, boolean ended, int line, int column) implements Step {}

    /// Reads on; after a [Broken] step nothing more can be read.
    public Step next() {
        if (!parser.more()) {
            return new End();
        }
        int from = parser.position();
        int line = parser.line();
        try {
            YamlNode node = parser.value();
            return new Value(node, from, parser.position(), line);
        } catch (JsonFailure e) {
            String text = e.ended() ? "unexpected EOF" : "json: offset " + e.offset() + ": " + e.problem();
            return new Broken(text, e.ended(), e.line(), e.column());
        }
    }
}

package dev.remora.yaml;

/// JSON text as Go's `encoding/json` writes it: compact, keys sorted by their bytes, `<`, `>`, `&` escaped.
public final class GoJson {
    private GoJson() {}

    /// The text of a tree.
    public static String text(YamlNode node) {
        throw new UnsupportedOperationException(node.toString());
    }

    /// A string in quotes.
    public static String quoted(String value) {
        throw new UnsupportedOperationException(value);
    }
}

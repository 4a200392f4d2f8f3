package dev.remora.yaml;

import java.util.List;
import java.util.Optional;

/// A value of a YAML or JSON text, with the place where it stands: line and column from 1, 0 where it stands nowhere.
///
/// Scalars are resolved as YAML 1.1 says (or as JSON says, when read from JSON), so `y` is a [Bool] and `0x10` is
/// the [Number] 16. Subtrees reached through aliases are shared, which makes the tree a directed graph without cycles.
public sealed interface YamlNode {
    int line();

    int column();

    /// What Go's decoder calls the kind of the value in its messages: `object`, `array`, `string`, `bool`, `number`.
    String goKind();

    /// Entries in the order of the text. A reader of YAML leaves no two equal keys; a reader of JSON keeps them all.
    record Mapping(List<Entry> entries, int line, int column) implements YamlNode {
        public Mapping {
            entries = List.copyOf(entries);
        }

        /// The value of the last entry with exactly this key.
        public Optional<YamlNode> get(String key) {
            for (int i = entries.size() - 1; i >= 0; i--) {
                if (entries.get(i).key().equals(key)) {
                    return Optional.of(entries.get(i).value());
                }
            }
            return Optional.empty();
        }

        /// The text of the last entry with exactly this key, if it is a string.
        public Optional<String> text(String key) {
            return get(key).flatMap(value -> value instanceof Text text ? Optional.of(text.value()) : Optional.empty());
        }

        @Override
        public String goKind() {
            return "object";
        }
    }

    /// A key, always as text (`1: x` has the key `1`), its place, and its value.
    record Entry(String key, int line, int column, YamlNode value) {}

    record Sequence(List<YamlNode> items, int line, int column) implements YamlNode {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String goKind() {
            return "array";
        }
    }

    record Text(String value, int line, int column) implements YamlNode {
        @Override
        public String goKind() {
            return "string";
        }
    }

    /// `source` is the text as written, such as `yes`.
    record Bool(boolean value, String source, int line, int column) implements YamlNode {
        @Override
        public String goKind() {
            return "bool";
        }
    }

    /// `json` is the number as Go prints it (`NaN`, `+Inf` and `-Inf` are no JSON), `source` as written: `16` and
    /// `0x10`,
    /// `1000` and `1e3`. `integer` says how it was written: `1e3` is none.
    @SuppressWarnings("AvoidCommonTypeNames") // JSON's own word, and always said as YamlNode.Number outside
    record Number(String json, String source, boolean integer, int line, int column) implements YamlNode {
        @Override
        public String goKind() {
            return "number";
        }
    }

    record Null(int line, int column) implements YamlNode {
        @Override
        public String goKind() {
            return "null";
        }
    }

    static YamlNode text(String value) {
        return new Text(value, 0, 0);
    }

    static YamlNode list(List<? extends YamlNode> items) {
        return new Sequence(List.copyOf(items), 0, 0);
    }

    static Entry entry(String key, YamlNode value) {
        return new Entry(key, 0, 0, value);
    }

    static YamlNode map(List<Entry> entries) {
        return new Mapping(entries, 0, 0);
    }
}

package dev.remora.yaml;

import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The fields of an object, read as Go's `encoding/json` fills a struct: keys match without regard to case, unknown
/// keys are ignored, `null` is the default, types are exact. What does not fit is added to a list of problems and read
/// as the default, so that all is reported at once.
///
/// Several keys may match one name. Then the last one counts, in the order of the text for JSON; for YAML, which
/// upstream sorts on its way to JSON, in the order of the keys' bytes. Objects are filled by all of them.
public final class GoFields {
    private final List<YamlNode.Mapping> mappings;
    private final YamlNode node;
    private final String path;
    private final Source source;

    /// What problems are added to and how the text is called.
    private record Source(String file, boolean sorted, List<Problem> problems) {
        void wrong(YamlNode at, String path, String wanted) {
            String hint = at instanceof YamlNode.Bool || at instanceof YamlNode.Number
                    ? wanted.equals("string") ? "put it in quotes" : ""
                    : "";
            problems.add(new Problem(
                    Optional.of(new Where(file, at.line(), at.column())),
                    path + ": cannot unmarshal " + at.goKind() + " into a value of type " + wanted,
                    hint.isEmpty() ? Optional.empty() : Optional.of(hint)));
        }
    }

    private GoFields(List<YamlNode.Mapping> mappings, YamlNode node, String path, Source source) {
        this.mappings = mappings;
        this.node = node;
        this.path = path;
        this.source = source;
    }

    /// The fields of a YAML document, with problems added to `problems`. What is no object is one problem.
    public static GoFields ofYaml(YamlNode root, String file, List<Problem> problems) {
        return fields(root, "", new Source(file, true, problems));
    }

    /// The same of JSON text, called `path` in problems.
    public static GoFields of(YamlNode root, String path, String file, List<Problem> problems) {
        return fields(root, path, new Source(file, false, problems));
    }

    private static GoFields fields(YamlNode node, String path, Source source) {
        return switch (node) {
            case YamlNode.Mapping mapping -> new GoFields(List.of(mapping), node, path, source);
            case YamlNode.Null _ -> new GoFields(List.of(), node, path, source);
            case YamlNode.Text _, YamlNode.Bool _, YamlNode.Number _, YamlNode.Sequence _ -> {
                source.wrong(node, path.isEmpty() ? "document" : path, "object");
                yield new GoFields(List.of(), node, path, source);
            }
        };
    }

    /// The value that decides for `name`, if any is there and not null.
    public Optional<YamlNode> value(String name) {
        return matching(name).reduce((first, last) -> last);
    }

    private java.util.stream.Stream<YamlNode> matching(String name) {
        return mappings.stream()
                .flatMap(mapping -> inOrder(mapping).stream())
                .filter(entry -> GoText.equalFold(entry.key(), name))
                .map(YamlNode.Entry::value)
                .filter(value -> !(value instanceof YamlNode.Null));
    }

    private List<YamlNode.Entry> inOrder(YamlNode.Mapping mapping) {
        if (!source.sorted()) {
            return mapping.entries();
        }
        var entries = new ArrayList<>(mapping.entries());
        entries.sort((a, b) -> GoText.compare(a.key(), b.key()));
        return entries;
    }

    /// True when the field is there and not null.
    public boolean has(String name) {
        return value(name).isPresent();
    }

    /// True when the field is there, also without a value.
    public boolean isWritten(String name) {
        return mappings.stream()
                .flatMap(mapping -> mapping.entries().stream())
                .anyMatch(entry -> GoText.equalFold(entry.key(), name));
    }

    /// Empty text when absent or null.
    public String text(String name) {
        return value(name).flatMap(value -> text(value, at(name))).orElse("");
    }

    private Optional<String> text(YamlNode value, String where) {
        if (value instanceof YamlNode.Text text) {
            return Optional.of(text.value());
        }
        if (!(value instanceof YamlNode.Null)) {
            source.wrong(value, where, "string");
        }
        return Optional.empty();
    }

    /// False when absent or null.
    public boolean bool(String name) {
        Optional<YamlNode> value = value(name);
        if (value.isPresent() && value.get() instanceof YamlNode.Bool bool) {
            return bool.value();
        }
        value.ifPresent(other -> source.wrong(other, at(name), "bool"));
        return false;
    }

    /// Absent and null are an empty list; null items are empty texts.
    public List<String> texts(String name) {
        List<YamlNode> items = items(name);
        var texts = new ArrayList<String>();
        for (int i = 0; i < items.size(); i++) {
            texts.add(text(items.get(i), at(name) + "[" + i + "]").orElse(""));
        }
        return List.copyOf(texts);
    }

    /// In the order of the text; null values are empty texts.
    public Map<String, String> textMap(String name) {
        var map = new LinkedHashMap<String, String>();
        matching(name).forEach(value -> {
            if (value instanceof YamlNode.Mapping mapping) {
                for (YamlNode.Entry entry : mapping.entries()) {
                    map.put(
                            entry.key(),
                            text(entry.value(), at(name) + "." + entry.key()).orElse(""));
                }
            } else {
                source.wrong(value, at(name), "object of strings");
            }
        });
        return map;
    }

    /// The object under `name`; one without fields when absent or null.
    public GoFields object(String name) {
        List<YamlNode> values = matching(name).toList();
        if (values.isEmpty()) {
            return new GoFields(List.of(), new YamlNode.Null(node.line(), node.column()), at(name), source);
        }
        var merged = new ArrayList<YamlNode.Mapping>();
        for (YamlNode value : values) {
            merged.addAll(fields(value, at(name), source).mappings);
        }
        return new GoFields(merged, values.getLast(), at(name), source);
    }

    /// The objects of a list; for null items [#isNull] is true.
    public List<GoFields> objects(String name) {
        List<YamlNode> items = items(name);
        var objects = new ArrayList<GoFields>();
        for (int i = 0; i < items.size(); i++) {
            objects.add(fields(items.get(i), at(name) + "[" + i + "]", source));
        }
        return List.copyOf(objects);
    }

    private List<YamlNode> items(String name) {
        Optional<YamlNode> value = value(name);
        if (value.isPresent() && value.get() instanceof YamlNode.Sequence list) {
            return list.items();
        }
        value.ifPresent(other -> source.wrong(other, at(name), "list"));
        return List.of();
    }

    /// Whether the object itself is null or absent.
    public boolean isNull() {
        return node instanceof YamlNode.Null;
    }

    /// Entries whose keys none of `names` matches.
    public List<YamlNode.Entry> unknown(List<String> names) {
        return mappings.stream()
                .flatMap(mapping -> mapping.entries().stream())
                .filter(entry -> names.stream().noneMatch(name -> GoText.equalFold(entry.key(), name)))
                .toList();
    }

    /// How the object is called: `spec.generate`.
    public String path() {
        return path;
    }

    /// The object, for its line and column.
    public YamlNode node() {
        return node;
    }

    /// Where `name` stands, or the object when it is absent.
    public Where where(String name) {
        YamlNode at = value(name).orElse(node);
        return new Where(source.file(), at.line(), at.column());
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}

package dev.remora.yaml;

import dev.remora.fault.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The fields of an object, read as Go's `encoding/json` fills a struct: keys match without regard to case, unknown
/// keys are ignored, `null` is the default, types are exact. What does not fit is added to a list of problems and read
/// as the default, so that all is reported at once.
public final class GoFields {
    private final YamlNode node;
    private final String path;
    private final String file;
    private final List<Problem> problems;

    private GoFields(YamlNode node, String path, String file, List<Problem> problems) {
        this.node = node;
        this.path = path;
        this.file = file;
        this.problems = problems;
    }

    /// The fields of `node`, called `path` in problems (`spec.generate`; empty at the top).
    public static GoFields of(YamlNode node, String path, String file, List<Problem> problems) {
        return new GoFields(node, path, file, problems);
    }

    /// The value that decides for `name`, if any is there and not null.
    public Optional<YamlNode> value(String name) {
        throw unsupported(name);
    }

    /// Empty text when absent or null.
    public String text(String name) {
        throw unsupported(name);
    }

    public boolean bool(String name) {
        throw unsupported(name);
    }

    /// Absent and null are an empty list; null items are empty texts.
    public List<String> texts(String name) {
        throw unsupported(name);
    }

    /// In the order of the text.
    public Map<String, String> textMap(String name) {
        throw unsupported(name);
    }

    /// The object under `name`; one without fields when absent or null.
    public GoFields object(String name) {
        throw unsupported(name);
    }

    /// True when the field is there and not null.
    public boolean has(String name) {
        throw unsupported(name);
    }

    /// The objects of a list; null items are objects for which [#isNull] is true.
    public List<GoFields> objects(String name) {
        throw unsupported(name);
    }

    public boolean isNull() {
        return node instanceof YamlNode.Null;
    }

    /// Keys that none of `names` matches, with their places.
    public List<YamlNode.Entry> unknown(List<String> names) {
        throw new UnsupportedOperationException(names.toString());
    }

    public String path() {
        return path;
    }

    /// Line and column of the object.
    public YamlNode node() {
        return node;
    }

    private UnsupportedOperationException unsupported(String name) {
        return new UnsupportedOperationException(file + path + name + problems);
    }
}

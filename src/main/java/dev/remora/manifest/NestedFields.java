package dev.remora.manifest;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// Fields below fields of an object, read and set as Kubernetes' client library does: what lies on the way may be
/// absent
/// or null to be read, and must be absent or a mapping to be set. Its messages name places and types, never values.
final class NestedFields {
    private NestedFields() {}

    /// The value at the path; empty where something on the way is absent or null.
    ///
    /// @throws Fault where something on the way is no mapping
    static Optional<YamlNode> find(YamlNode.Mapping object, List<String> path) {
        YamlNode at = object;
        for (int i = 0; i < path.size(); i++) {
            switch (at) {
                case YamlNode.Null _ -> {
                    return Optional.empty();
                }
                case YamlNode.Mapping mapping -> {
                    Optional<YamlNode> next = mapping.get(path.get(i));
                    if (next.isEmpty()) {
                        return Optional.empty();
                    }
                    at = next.get();
                }
                case YamlNode.Text _, YamlNode.Bool _, YamlNode.Number _, YamlNode.Sequence _ ->
                    throw wrongType(path.subList(0, i + 1), "the value", at, "map[string]interface{}");
            }
        }
        return Optional.of(at);
    }

    /// As [#find], of what must be a mapping: a null there is none.
    static Optional<YamlNode.Mapping> mapping(YamlNode.Mapping object, List<String> path) {
        return find(object, path).map(found -> {
            if (found instanceof YamlNode.Mapping mapping) {
                return mapping;
            }
            throw wrongType(path, "the value", found, "map[string]interface{}");
        });
    }

    /// As [#mapping], of texts; a null is an empty one.
    static SequencedMap<String, String> texts(YamlNode.Mapping object, List<String> path) {
        SequencedMap<String, String> texts = new LinkedHashMap<>();
        Optional<YamlNode> found = find(object, path);
        if (found.isEmpty() || found.get() instanceof YamlNode.Null) {
            return texts;
        }
        for (YamlNode.Entry entry : mapping(object, path).orElseThrow().entries()) {
            if (!(entry.value() instanceof YamlNode.Text text)) {
                String what = "contains non-string value in the map under key \"" + entry.key() + "\": it";
                throw wrongType(path, what, entry.value(), "string");
            }
            texts.put(entry.key(), text.value());
        }
        return texts;
    }

    /// The object with a value at the path; what is absent on the way is made.
    ///
    /// @throws Fault where something on the way is no mapping
    static YamlNode.Mapping with(YamlNode.Mapping object, List<String> path, YamlNode value) {
        return with(object, path, 0, value);
    }

    private static YamlNode.Mapping with(YamlNode.Mapping object, List<String> path, int depth, YamlNode value) {
        String key = path.get(depth);
        if (depth == path.size() - 1) {
            return put(object, key, value);
        }
        YamlNode below = object.get(key).orElse(YamlNode.map(List.of()));
        if (!(below instanceof YamlNode.Mapping mapping)) {
            throw new Fault(
                    FaultCode.MANIFEST_TRACKING,
                    "value cannot be set because " + shown(path.subList(0, depth + 1))
                            + " is not a map[string]interface{}");
        }
        return put(object, key, with(mapping, path, depth + 1, value));
    }

    /// The mapping with one key's value replaced, or added behind the others.
    static YamlNode.Mapping put(YamlNode.Mapping mapping, String key, YamlNode value) {
        List<YamlNode.Entry> entries = new ArrayList<>(mapping.entries().size() + 1);
        boolean put = false;
        for (YamlNode.Entry entry : mapping.entries()) {
            boolean same = entry.key().equals(key);
            put |= same;
            entries.add(same ? new YamlNode.Entry(key, entry.line(), entry.column(), value) : entry);
        }
        if (!put) {
            entries.add(YamlNode.entry(key, value));
        }
        return new YamlNode.Mapping(entries, mapping.line(), mapping.column());
    }

    static YamlNode.Mapping ofTexts(Map<String, String> texts) {
        List<YamlNode.Entry> entries = new ArrayList<>();
        texts.forEach((key, value) -> entries.add(YamlNode.entry(key, YamlNode.text(value))));
        return new YamlNode.Mapping(entries, 0, 0);
    }

    /// The text at the path, or empty, whatever is wrong.
    static String text(YamlNode.Mapping object, String... path) {
        YamlNode at = object;
        for (String key : path) {
            Optional<YamlNode> next = at instanceof YamlNode.Mapping mapping ? mapping.get(key) : Optional.empty();
            if (next.isEmpty()) {
                return "";
            }
            at = next.get();
        }
        return at instanceof YamlNode.Text text ? text.value() : "";
    }

    private static Fault wrongType(List<String> path, String what, YamlNode value, String wanted) {
        return new Fault(
                FaultCode.MANIFEST_TRACKING,
                shown(path) + " accessor error: " + what + " is of the type " + goType(value) + ", expected " + wanted);
    }

    private static String shown(List<String> path) {
        return "." + String.join(".", path);
    }

    static String goType(YamlNode value) {
        return switch (value) {
            case YamlNode.Mapping _ -> "map[string]interface {}";
            case YamlNode.Sequence _ -> "[]interface {}";
            case YamlNode.Text _ -> "string";
            case YamlNode.Bool _ -> "bool";
            case YamlNode.Number number -> number.integer() ? "int64" : "float64";
            case YamlNode.Null _ -> "<nil>";
        };
    }
}

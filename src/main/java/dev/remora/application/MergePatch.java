package dev.remora.application;

import dev.remora.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// RFC 7386 as Argo CD's library has it: `null` takes a key away, and is taken out of objects that are new;
/// in lists it stays.
final class MergePatch {
    private MergePatch() {}

    /// A document changed by a patch; both are objects.
    static YamlNode.Mapping apply(YamlNode.Mapping document, YamlNode.Mapping patch) {
        Map<String, YamlNode.Entry> merged = new LinkedHashMap<>();
        document.entries().forEach(entry -> merged.put(entry.key(), entry));
        for (YamlNode.Entry entry : patch.entries()) {
            if (entry.value() instanceof YamlNode.Null) {
                merged.remove(entry.key());
            } else {
                YamlNode value = merge(merged.get(entry.key()), entry.value());
                merged.put(entry.key(), new YamlNode.Entry(entry.key(), entry.line(), entry.column(), value));
            }
        }
        return new YamlNode.Mapping(List.copyOf(merged.values()), patch.line(), patch.column());
    }

    private static YamlNode merge(YamlNode.@Nullable Entry current, YamlNode patch) {
        if (current != null
                && current.value() instanceof YamlNode.Mapping document
                && patch instanceof YamlNode.Mapping changes) {
            return apply(document, changes);
        }
        return withoutNulls(patch);
    }

    private static YamlNode withoutNulls(YamlNode node) {
        return switch (node) {
            case YamlNode.Mapping mapping -> {
                List<YamlNode.Entry> entries = new ArrayList<>();
                for (YamlNode.Entry entry : mapping.entries()) {
                    if (!(entry.value() instanceof YamlNode.Null)) {
                        entries.add(new YamlNode.Entry(
                                entry.key(), entry.line(), entry.column(), withoutNulls(entry.value())));
                    }
                }
                yield new YamlNode.Mapping(entries, mapping.line(), mapping.column());
            }
            case YamlNode.Sequence list ->
                new YamlNode.Sequence(
                        list.items().stream().map(MergePatch::withoutNulls).toList(), list.line(), list.column());
            default -> node;
        };
    }
}

package dev.remora.render;

import dev.remora.cache.Fingerprint;
import dev.remora.generation.ReuseKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Everything that a plugin's answer for one source depends on: part → digest. While all are the same, the answer is.
/// A variable's part is its name behind [#VARIABLE].
public record AnswerKey(SortedMap<String, String> parts) {
    static final String VARIABLE = "variable ";

    /// Shells count and note these for themselves; they differ from one terminal to the next.
    private static final Set<String> OF_THE_SHELL = Set.of("_", "SHLVL", "OLDPWD");

    public AnswerKey {
        parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
    }

    /// @param more parts that the plugin itself does not know of
    static AnswerKey of(ReuseKey plugin, Map<String, String> more) {
        SortedMap<String, String> parts = new TreeMap<>(more);
        parts.put("plugin", plugin.plugin());
        parts.put("tools", new Fingerprint().add(plugin.tools()).hex());
        parts.put("place", plugin.place());
        plugin.variables().forEach((name, value) -> {
            if (!OF_THE_SHELL.contains(name)) {
                parts.put(VARIABLE + name, value);
            }
        });
        return new AnswerKey(parts);
    }

    String fingerprint() {
        Fingerprint all = new Fingerprint();
        parts.forEach((name, value) -> all.add(name).add(value));
        return all.hex();
    }

    /// The parts that differ, by name.
    public List<String> differences(AnswerKey other) {
        List<String> names = new ArrayList<>();
        parts.forEach((name, value) -> {
            if (!value.equals(other.parts.get(name))) {
                names.add(name);
            }
        });
        other.parts.keySet().stream().filter(name -> !parts.containsKey(name)).forEach(names::add);
        return names;
    }
}

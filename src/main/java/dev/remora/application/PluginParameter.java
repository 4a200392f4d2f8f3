package dev.remora.application;

import static java.util.stream.Collectors.joining;

import dev.remora.yaml.GoJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/// One entry of `spec.source.plugin.parameters`. A kind that is there and empty differs from one that is absent;
/// one parameter may carry several kinds.
public record PluginParameter(
        String name,
        Optional<String> string,
        Optional<SequencedMap<String, String>> map,
        Optional<List<String>> array) {
    public static PluginParameter ofString(String name, String value) {
        return new PluginParameter(name, Optional.of(value), Optional.empty(), Optional.empty());
    }

    public static PluginParameter ofArray(String name, List<String> values) {
        return new PluginParameter(name, Optional.empty(), Optional.empty(), Optional.of(List.copyOf(values)));
    }

    public static PluginParameter ofMap(String name, SequencedMap<String, String> values) {
        return new PluginParameter(name, Optional.empty(), Optional.of(new LinkedHashMap<>(values)), Optional.empty());
    }

    /// The name of this parameter's variable: `PARAM_` and the name in upper case, all but letters, digits and `_`
    /// replaced by `_`, one for each code point.
    public String variable() {
        return "PARAM_" + escaped(name);
    }

    static String escaped(String name) {
        StringBuilder out = new StringBuilder(name.length());
        // Go's ToUpper maps code point by code point: a sharp s stays one character and becomes one `_`.
        name.codePoints().map(PluginParameter::upper).forEach(c -> out.append(isPlain(c) ? (char) c : '_'));
        return out.toString();
    }

    private static int upper(int codePoint) {
        String upper = Character.toString(codePoint).toUpperCase(Locale.ROOT);
        return upper.codePointCount(0, upper.length()) == 1 ? upper.codePointAt(0) : codePoint;
    }

    private static boolean isPlain(int c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    }

    /// This parameter's variables, the string first, then the map's, then the array's.
    SequencedMap<String, String> variables() {
        SequencedMap<String, String> all = new LinkedHashMap<>();
        string.ifPresent(value -> all.put(variable(), value));
        map.orElse(new LinkedHashMap<>()).forEach((key, value) -> all.put(variable() + "_" + escaped(key), value));
        List<String> values = array.orElse(List.of());
        for (int i = 0; i < values.size(); i++) {
            all.put(variable() + "_" + i, values.get(i));
        }
        return all;
    }

    /// As Argo CD writes it into `ARGOCD_APP_PARAMETERS`: keys in order, absent kinds left out.
    String json() {
        List<String> fields = new ArrayList<>();
        array.ifPresent(values ->
                fields.add("\"array\":[" + values.stream().map(GoJson::quoted).collect(joining(",")) + "]"));
        map.ifPresent(values -> fields.add("\"map\":{"
                + new TreeMap<>(values)
                        .entrySet().stream()
                                .map(e -> GoJson.quoted(e.getKey()) + ":" + GoJson.quoted(e.getValue()))
                                .collect(joining(","))
                + "}"));
        fields.add("\"name\":" + GoJson.quoted(name));
        string.ifPresent(value -> fields.add("\"string\":" + GoJson.quoted(value)));
        return "{" + String.join(",", fields) + "}";
    }
}

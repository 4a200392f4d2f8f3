package dev.remora.cli;

import dev.remora.application.PluginParameter;
import dev.remora.plugin.ParameterAnnouncement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// What a plugin announces, with the values that an Application gives.
///
/// @param announced dynamic ones first, then the definition's static ones
/// @param statics how many of them are static; empty: a server does not tell them apart
record AnnouncementTable(List<ParameterAnnouncement> announced, OptionalInt statics, List<PluginParameter> given) {
    private static final List<String> HEADINGS = List.of("NAME", "TYPE", "VALUE", "FROM", "REQUIRED", "VARIABLE");
    private static final String STRING = "string";

    AnnouncementTable {
        announced = List.copyOf(announced);
        given = List.copyOf(given);
    }

    /// Empty where there is nothing to show.
    String text() {
        List<List<String>> rows = rows();
        return rows.isEmpty() ? "" : TextTable.of(HEADINGS, rows);
    }

    /// For who sees an empty table.
    ///
    /// @param plugin by its name
    Optional<String> note(String plugin) {
        return announced.isEmpty()
                ? Optional.of("note: " + plugin + " announces no parameters (spec.parameters of its plugin.yaml does)")
                : Optional.empty();
    }

    /// As Argo CD's announcement list.
    List<Map<String, Object>> json() {
        return announced.stream().map(AnnouncementTable::json).toList();
    }

    /// As Argo CD writes its announcement list: what is empty is left out.
    private static Map<String, Object> json(ParameterAnnouncement one) {
        Map<String, Object> json = new LinkedHashMap<>();
        putText(json, "name", one.name());
        putText(json, "title", one.title());
        putText(json, "tooltip", one.tooltip());
        if (one.required()) {
            json.put("required", true);
        }
        putText(json, "itemType", one.itemType());
        putText(json, "collectionType", one.collectionType());
        putText(json, "string", one.string());
        if (!one.array().isEmpty()) {
            json.put("array", one.array());
        }
        if (!one.map().isEmpty()) {
            json.put("map", one.map());
        }
        return json;
    }

    private static void putText(Map<String, Object> json, String key, String value) {
        if (!value.isEmpty()) {
            json.put(key, value);
        }
    }

    private List<List<String>> rows() {
        Map<String, PluginParameter> byName = new LinkedHashMap<>();
        given.forEach(parameter -> byName.put(parameter.name(), parameter));
        Set<String> known = new HashSet<>();
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < announced.size(); i++) {
            ParameterAnnouncement one = announced.get(i);
            Optional<PluginParameter> mine = Optional.ofNullable(byName.get(one.name()));
            boolean again = !known.add(one.name());
            rows.add(List.of(
                    one.name(),
                    type(one),
                    mine.map(AnnouncementTable::value).orElse(value(one)),
                    (mine.isPresent() ? "application" : origin(i)) + (again ? ", hidden by the first" : ""),
                    one.required() ? "yes" : "no",
                    variable(one.name()) + suffix(one)));
        }
        byName.forEach((name, parameter) -> {
            if (!known.contains(name)) {
                rows.add(List.of(
                        name, kinds(parameter), value(parameter), "application, not announced", "no", variable(name)));
            }
        });
        return rows;
    }

    private static String variable(String name) {
        return PluginParameter.ofString(name, "").variable();
    }

    private String origin(int index) {
        if (statics.isEmpty()) {
            return "announced";
        }
        return index < announced.size() - statics.getAsInt() ? "dynamic" : "static";
    }

    private static String kinds(PluginParameter parameter) {
        List<String> kinds = new ArrayList<>();
        parameter.string().ifPresent(value -> kinds.add(STRING));
        parameter.array().ifPresent(values -> kinds.add("array of string"));
        parameter.map().ifPresent(values -> kinds.add("map of string"));
        return String.join(" and ", kinds);
    }

    private static String type(ParameterAnnouncement one) {
        String item = one.itemType().isEmpty() ? STRING : one.itemType();
        return switch (one.collectionType()) {
            case "", STRING -> item;
            default -> one.collectionType() + " of " + item;
        };
    }

    private static String suffix(ParameterAnnouncement one) {
        return switch (one.collectionType()) {
            case "array" -> "_<n>";
            case "map" -> "_<KEY>";
            default -> "";
        };
    }

    private static String value(ParameterAnnouncement one) {
        return switch (one.collectionType()) {
            case "array" -> String.join(",", one.array());
            case "map" -> text(one.map());
            default -> one.string();
        };
    }

    private static String value(PluginParameter parameter) {
        List<String> parts = new ArrayList<>();
        parameter.string().ifPresent(parts::add);
        parameter.array().ifPresent(array -> parts.add(String.join(",", array)));
        parameter.map().ifPresent(map -> parts.add(text(map)));
        return String.join(" ", parts);
    }

    private static String text(Map<String, String> map) {
        return String.join(
                ",",
                map.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
    }
}

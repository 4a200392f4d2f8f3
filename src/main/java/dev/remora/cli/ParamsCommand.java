package dev.remora.cli;

import dev.remora.application.PluginParameter;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.render.PluginHost;
import dev.remora.telemetry.Phases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `remora params`: what the plugin announces, as Argo CD's parameter page shows it.
final class ParamsCommand {
    private static final List<String> HEADINGS = List.of("NAME", "TYPE", "VALUE", "FROM", "REQUIRED", "VARIABLE");
    private static final String STRING = "string";

    private ParamsCommand() {}

    static int run(SettingValues settings, List<String> words, Console console) {
        return FolderWork.run(settings, words.getFirst(), console, work -> print(settings, work, console));
    }

    private static int print(SettingValues settings, FolderWork work, Console console) {
        List<ParameterAnnouncement> announced;
        PluginReference plugin = work.plugin();
        try (PluginHost host = work.host(plugin, Optional.empty())) {
            String label = work.options().name() + "  " + host.name();
            announced = Progress.during(console, settings, label, () -> host.announce(work.request(), new Phases()));
        }
        if (settings.text(FolderSettings.PARAMS_OUTPUT).equals("json")) {
            console.out()
                    .print(JsonDocument.write(
                            announced.stream().map(ParamsCommand::json).toList()));
        } else {
            console.out().print(TextTable.of(HEADINGS, rows(announced, plugin, work)));
        }
        return ExitCode.DONE;
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

    private static List<List<String>> rows(
            List<ParameterAnnouncement> announced, PluginReference plugin, FolderWork work) {
        Map<String, PluginParameter> given = new LinkedHashMap<>();
        work.options()
                .environment()
                .plugin()
                .ifPresent(block -> block.parameters().forEach(parameter -> given.put(parameter.name(), parameter)));
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < announced.size(); i++) {
            ParameterAnnouncement one = announced.get(i);
            Optional<PluginParameter> mine = Optional.ofNullable(given.get(one.name()));
            rows.add(List.of(
                    one.name(),
                    type(one),
                    mine.map(ParamsCommand::value).orElse(value(one)),
                    mine.isPresent() ? "application" : origin(plugin, i, announced.size()),
                    one.required() ? "yes" : "no",
                    PluginParameter.ofString(one.name(), "").variable() + suffix(one)));
        }
        return rows;
    }

    /// Dynamic announcements come first, then the definition's static ones. A server does not tell them apart.
    private static String origin(PluginReference plugin, int index, int all) {
        return switch (plugin) {
            case PluginReference.Socket socket -> "announced";
            case PluginReference.Definition definition ->
                index < all - definition.plugin().staticParameters().size() ? "dynamic" : "static";
        };
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

package dev.remora.application;

import dev.remora.application.PluginEnvironment.PluginBlock;
import dev.remora.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The fields of an [ApplicationSource], and how one is made of Go's memory.
final class SourceFields {
    private static final Shape.Struct ENV =
            Shape.struct("name", "value").texts("name", "value").orAbsent();
    private static final Shape.Struct PARAMETER = Shape.struct("name")
            .texts("name")
            .with("string", new Shape.Text(true))
            .with("map", new Shape.TextMap(true))
            .with("array", new Shape.ListOf(Shape.TEXT, true));
    private static final Shape.Struct PLUGIN = Shape.struct()
            .texts("name")
            .with("env", new Shape.ListOf(ENV, false))
            .with("parameters", new Shape.ListOf(PARAMETER, false))
            .orAbsent();
    private static final Shape.Struct DIRECTORY = Shape.struct()
            .with("recurse", Shape.FLAG)
            .with("jsonnet", Shape.ANY)
            .texts("exclude", "include")
            .with("disableExtensionFilter", Shape.FLAG)
            .orAbsent();

    static final Shape.Struct SOURCE = Shape.struct("repoURL")
            .texts("repoURL", "path", "targetRevision")
            .with("helm", Shape.ANY)
            .with("kustomize", Shape.ANY)
            .with("directory", DIRECTORY)
            .with("plugin", PLUGIN)
            .texts("chart", "ref", "name", "tagPrefix");

    private SourceFields() {}

    /// A source as it is written, with a word for each field that does not fit.
    static ApplicationSource of(YamlNode written, String path, GoMemory.Problems problems) {
        GoMemory memory = new GoMemory(SOURCE);
        memory.decode(written, path, problems);
        return read(memory, written);
    }

    static ApplicationSource read(GoMemory source, YamlNode written) {
        return new ApplicationSource(
                source.field("repoURL").text(),
                source.field("path").text(),
                source.field("targetRevision").text(),
                source.field("chart").text(),
                source.field("ref").text(),
                source.field("name").text(),
                source.field("tagPrefix").text(),
                plugin(source.field("plugin")),
                directory(source.field("directory")),
                source.field("helm").isPresent(),
                source.field("kustomize").isPresent(),
                written);
    }

    private static Optional<ApplicationSource.Plugin> plugin(GoMemory plugin) {
        if (!plugin.isPresent()) {
            return Optional.empty();
        }
        List<Map.Entry<String, String>> env = new ArrayList<>();
        for (GoMemory entry : plugin.field("env").items()) {
            if (entry.isPresent()) {
                env.add(Map.entry(
                        entry.field("name").text(), entry.field("value").text()));
            }
        }
        List<PluginParameter> parameters = plugin.field("parameters").items().stream()
                .map(SourceFields::parameter)
                .toList();
        return Optional.of(new ApplicationSource.Plugin(plugin.field("name").text(), new PluginBlock(env, parameters)));
    }

    private static PluginParameter parameter(GoMemory parameter) {
        return new PluginParameter(
                parameter.field("name").text(),
                parameter.field("string").optionalText(),
                parameter.field("map").optionalTextMap().map(LinkedHashMap::new),
                parameter.field("array").optionalTexts());
    }

    private static Optional<ApplicationSource.Directory> directory(GoMemory directory) {
        if (!directory.isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new ApplicationSource.Directory(
                directory.field("recurse").flag(),
                directory.field("include").text(),
                directory.field("exclude").text(),
                directory.field("disableExtensionFilter").flag(),
                directory.field("jsonnet").isPresent()));
    }
}

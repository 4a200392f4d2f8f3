package dev.remora.application;

import dev.remora.application.PluginEnvironment.PluginBlock;
import dev.remora.yaml.YamlNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// One `source` of an Application: where its files are, and how manifests are made of them.
///
/// @param written as it stands in the Application; source overrides are merged into it
public record ApplicationSource(
        String repoUrl,
        String path,
        String targetRevision,
        String chart,
        String ref,
        String name,
        String tagPrefix,
        Optional<Plugin> plugin,
        Optional<Directory> directory,
        boolean helm,
        boolean kustomize,
        YamlNode written) {

    /// `plugin:`; an empty one too says that a plugin is wanted.
    public record Plugin(String name, PluginBlock block) {}

    /// `directory:`, plain YAML and JSON.
    public record Directory(boolean recurse, String include, String exclude, boolean anyExtension, boolean jsonnet) {}

    /// The blocks that name a type, in the order in which Argo CD names them.
    public List<String> explicitTypes() {
        return Stream.of(
                        Map.entry("Kustomize", kustomize),
                        Map.entry("Helm", helm),
                        Map.entry("Directory", directory.isPresent()),
                        Map.entry("Plugin", plugin.isPresent()))
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Whether it only lends its files to other sources.
    public boolean isReferenceOnly() {
        return !ref.isEmpty() && path.isEmpty() && chart.isEmpty();
    }
}

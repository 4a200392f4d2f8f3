package dev.remora.render;

import dev.remora.application.ApplicationSource;

/// How a source becomes manifests.
public sealed interface SourceType {
    /// By a plugin's commands.
    record Plugin(KnownPlugin plugin) implements SourceType {}

    /// Plain YAML and JSON files.
    record Directory(ApplicationSource.Directory settings) implements SourceType {}

    /// A chart.
    record Helm() implements SourceType {}

    /// An overlay.
    record Kustomize() implements SourceType {}
}

package dev.remora.render;

import dev.remora.application.ApplicationSource;

/// How a source becomes manifests.
public sealed interface SourceType {
    record Plugin(KnownPlugin plugin) implements SourceType {}

    /// Plain YAML and JSON files.
    record Directory(ApplicationSource.Directory settings) implements SourceType {}

    record Helm() implements SourceType {}

    record Kustomize() implements SourceType {}
}

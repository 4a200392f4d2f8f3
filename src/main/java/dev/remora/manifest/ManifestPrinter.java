package dev.remora.manifest;

import java.util.List;

/// Prints documents for people and programs.
public final class ManifestPrinter {
    private ManifestPrinter() {}

    /// Block YAML, documents separated by `---`.
    public static String yaml(List<ManifestDocument> documents, boolean maskSecrets) {
        throw new UnsupportedOperationException(documents + String.valueOf(maskSecrets));
    }

    /// A `v1` List in JSON, indented.
    public static String json(List<ManifestDocument> documents, boolean maskSecrets) {
        throw new UnsupportedOperationException(documents + String.valueOf(maskSecrets));
    }

    /// `deployment.apps/web`, a line each.
    public static String name(List<ManifestDocument> documents) {
        throw new UnsupportedOperationException(documents.toString());
    }

    /// A table: namespace, name, kind, API version, line.
    public static String wide(List<ManifestDocument> documents) {
        throw new UnsupportedOperationException(documents.toString());
    }
}

package dev.remora.application;

import dev.remora.fault.Where;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An Application as a person keeps it in Git: the parts that decide what it renders to.
///
/// @param where where it begins
/// @param namespace its own, empty where none is written
/// @param project `default` where none is written
/// @param sources in their order; one for `source`
/// @param several whether it has `sources`, which differs from `source` in details
public record Application(
        Where where,
        String name,
        String namespace,
        String project,
        Destination destination,
        List<ApplicationSource> sources,
        boolean several,
        Map<String, String> annotations,
        Map<String, String> labels) {
    /// What narrows the files that count for an Application, items separated by `;`.
    public static final String MANIFEST_GENERATE_PATHS = "argocd.argoproj.io/manifest-generate-paths";

    public Application {
        sources = List.copyOf(sources);
        annotations = Map.copyOf(annotations);
        labels = Map.copyOf(labels);
    }

    /// The cluster by its address or its name, and the namespace for what names none.
    public record Destination(String server, String name, String namespace) {}

    /// How Argo CD calls it: its name, with its namespace in front outside the control plane's own.
    public String instanceName(String controlPlaneNamespace) {
        return namespace.isEmpty() || namespace.equals(controlPlaneNamespace) ? name : namespace + "_" + name;
    }

    public Optional<String> manifestGeneratePaths() {
        return Optional.ofNullable(annotations.get(MANIFEST_GENERATE_PATHS));
    }
}

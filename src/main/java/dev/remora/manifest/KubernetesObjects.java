package dev.remora.manifest;

import dev.remora.yaml.YamlNode;
import java.util.List;
import java.util.Optional;

/// A document as objects: lists are taken apart as Argo CD does, one level deep, whatever their kind is called.
final class KubernetesObjects {
    private KubernetesObjects() {}

    /// The objects of a document; what is no mapping stands for itself.
    static List<YamlNode> of(YamlNode document) {
        return items(document).orElseGet(() -> isEmptyList(document) ? List.of() : List.of(document));
    }

    static Optional<List<YamlNode>> items(YamlNode document) {
        return document instanceof YamlNode.Mapping mapping
                        && mapping.get("items").orElse(null) instanceof YamlNode.Sequence items
                ? Optional.of(items.items())
                : Optional.empty();
    }

    /// `items: null` without a spec or status: Argo CD drops it.
    private static boolean isEmptyList(YamlNode document) {
        return document instanceof YamlNode.Mapping mapping
                && mapping.get("items").orElse(null) instanceof YamlNode.Null
                && mapping.get("spec").isEmpty()
                && mapping.get("status").isEmpty();
    }

    static String kind(YamlNode object) {
        return text(object, "kind");
    }

    static String apiVersion(YamlNode object) {
        return text(object, "apiVersion");
    }

    static String name(YamlNode object) {
        return metadata(object, "name")
                .or(() -> metadata(object, "generateName"))
                .orElse("");
    }

    static String namespace(YamlNode object) {
        return metadata(object, "namespace").orElse("");
    }

    private static Optional<String> metadata(YamlNode object, String key) {
        return object instanceof YamlNode.Mapping mapping
                        && mapping.get("metadata").orElse(null) instanceof YamlNode.Mapping metadata
                ? metadata.text(key)
                : Optional.empty();
    }

    private static String text(YamlNode object, String key) {
        return object instanceof YamlNode.Mapping mapping ? mapping.text(key).orElse("") : "";
    }
}

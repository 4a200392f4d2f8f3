package dev.remora.manifest;

import dev.remora.fault.Secret;
import dev.remora.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Replaces what a Kubernetes Secret holds by a mask, key by key, also inside lists.
final class SecretMask {
    private static final Set<String> HOLDING = Set.of("data", "stringData");
    /// Holds a copy of the whole object.
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private SecretMask() {}

    static YamlNode masked(YamlNode document) {
        if (!(document instanceof YamlNode.Mapping mapping)) {
            return document;
        }
        if (mapping.get("items").orElse(null) instanceof YamlNode.Sequence list) {
            List<YamlNode> items = list.items().stream().map(SecretMask::masked).toList();
            return with(mapping, "items", new YamlNode.Sequence(items, list.line(), list.column()));
        }
        return KubernetesObjects.kind(mapping).equals("Secret") ? secret(mapping) : mapping;
    }

    private static YamlNode secret(YamlNode.Mapping secret) {
        YamlNode.Mapping masked = secret;
        for (String key : HOLDING) {
            if (secret.get(key).isPresent()) {
                masked = with(masked, key, values(secret.get(key).get()));
            }
        }
        if (secret.get("metadata").orElse(null) instanceof YamlNode.Mapping metadata
                && metadata.get("annotations").orElse(null) instanceof YamlNode.Mapping annotations
                && annotations.get(LAST_APPLIED).isPresent()) {
            YamlNode hidden = with(annotations, LAST_APPLIED, YamlNode.text(Secret.MASK));
            masked = with(masked, "metadata", with(metadata, "annotations", hidden));
        }
        return masked;
    }

    private static YamlNode values(YamlNode holding) {
        if (!(holding instanceof YamlNode.Mapping mapping)) {
            return holding instanceof YamlNode.Null ? holding : YamlNode.text(Secret.MASK);
        }
        var entries = new ArrayList<YamlNode.Entry>();
        for (YamlNode.Entry entry : mapping.entries()) {
            entries.add(new YamlNode.Entry(entry.key(), entry.line(), entry.column(), YamlNode.text(Secret.MASK)));
        }
        return new YamlNode.Mapping(entries, mapping.line(), mapping.column());
    }

    private static YamlNode.Mapping with(YamlNode.Mapping mapping, String key, YamlNode value) {
        var entries = new ArrayList<YamlNode.Entry>();
        for (YamlNode.Entry entry : mapping.entries()) {
            entries.add(entry.key().equals(key) ? new YamlNode.Entry(key, entry.line(), entry.column(), value) : entry);
        }
        return new YamlNode.Mapping(entries, mapping.line(), mapping.column());
    }
}

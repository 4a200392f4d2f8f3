package dev.remora.manifest;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.yaml.YamlNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// Marks objects as an Application's own (docs/spec/post-processing.md, "Tracking").
final class Tracker {
    private static final String TRACKING_ID = "argocd.argoproj.io/tracking-id";
    private static final String INSTALLATION_ID = "argocd.argoproj.io/installation-id";
    /// With this label key pod templates are labelled, too.
    private static final String LEGACY_LABEL_KEY = "applications.argoproj.io/app-name";

    private static final int MOST_LABEL_BYTES = 63;

    private static final List<String> METADATA = List.of("metadata");
    private static final List<String> ANNOTATIONS = List.of("metadata", "annotations");
    private static final List<String> LABELS = List.of("metadata", "labels");
    private static final List<String> TEMPLATE_LABELS = List.of("spec", "template", "metadata", "labels");
    private static final List<String> SELECTOR = List.of("spec", "selector");
    private static final List<String> SELECTOR_LABELS = List.of("spec", "selector", "matchLabels");

    private static final Set<String> WORKLOADS = Set.of("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet");
    private static final Set<String> SELECTING_BY_TEMPLATE = Set.of("apps/v1beta1", "extensions/v1beta1");

    private final Tracking tracking;

    Tracker(Tracking tracking) {
        this.tracking = tracking;
    }

    /// The object with its marks; itself where it gets none.
    YamlNode.Mapping mark(YamlNode.Mapping object) {
        GroupKind kind = GroupKind.of(object);
        if (!tracking.marks() || kind.isCustomResourceDefinition()) {
            return object;
        }
        try {
            return switch (tracking.method()) {
                case ANNOTATION -> annotated(object, kind);
                case LABEL -> labelled(object, kind, tracking.application());
                case ANNOTATION_AND_LABEL -> labelled(annotated(object, kind), kind, shortened(tracking.application()));
            };
        } catch (Fault fault) {
            throw fault.in("failed to set app instance tracking info on manifest: ");
        }
    }

    private YamlNode.Mapping annotated(YamlNode.Mapping object, GroupKind kind) {
        String id = tracking.installationId();
        String told = id.isEmpty() ? "failed to get annotations for " : "failed to get annotations from target object ";
        SequencedMap<String, String> annotations = texts(object, ANNOTATIONS, told, kind);
        if (id.isEmpty()) {
            annotations.remove(INSTALLATION_ID);
        } else {
            annotations.put(INSTALLATION_ID, id);
        }
        String own = NestedFields.text(object, "metadata", "namespace");
        annotations.put(
                TRACKING_ID,
                tracking.application() + ":" + kind.group() + "/" + kind.kind() + ":"
                        + (own.isEmpty() ? tracking.namespace() : own) + "/"
                        + NestedFields.text(object, "metadata", "name"));
        return set(object, ANNOTATIONS, NestedFields.ofTexts(annotations));
    }

    private YamlNode.Mapping labelled(YamlNode.Mapping object, GroupKind kind, String value) {
        try {
            SequencedMap<String, String> labels =
                    texts(object, LABELS, "failed to get labels from target object ", kind);
            labels.put(tracking.labelKey(), value);
            YamlNode.Mapping labelled = set(object, LABELS, NestedFields.ofTexts(labels));
            return tracking.labelKey().equals(LEGACY_LABEL_KEY) ? inTemplate(labelled, kind, value) : labelled;
        } catch (Fault fault) {
            throw fault.in("failed to set app instance label: ");
        }
    }

    /// A `metadata` that is null stays so, and the object unmarked.
    private static YamlNode.Mapping set(YamlNode.Mapping object, List<String> path, YamlNode value) {
        Optional<YamlNode> metadata = object.get(METADATA.getFirst());
        return metadata.isPresent() && !(metadata.get() instanceof YamlNode.Mapping)
                ? object
                : NestedFields.with(object, path, value);
    }

    private static SequencedMap<String, String> texts(
            YamlNode.Mapping object, List<String> path, String told, GroupKind kind) {
        try {
            return NestedFields.texts(object, path);
        } catch (Fault fault) {
            throw fault.in(told + kind + " " + NestedFields.text(object, "metadata", "namespace") + "/"
                    + NestedFields.text(object, "metadata", "name") + ": ");
        }
    }

    private YamlNode.Mapping inTemplate(YamlNode.Mapping object, GroupKind kind, String value) {
        boolean workload =
                (kind.group().equals("apps") || kind.group().equals("extensions")) && WORKLOADS.contains(kind.kind());
        boolean job = kind.group().equals("batch") && kind.kind().equals("Job");
        if (!workload && !job) {
            return object;
        }
        YamlNode.Mapping written =
                NestedFields.mapping(object, TEMPLATE_LABELS).orElse(new YamlNode.Mapping(List.of(), 0, 0));
        YamlNode.Mapping labels = NestedFields.put(written, tracking.labelKey(), YamlNode.text(value));
        YamlNode.Mapping labelled = NestedFields.with(object, TEMPLATE_LABELS, labels);
        return workload && SELECTING_BY_TEMPLATE.contains(NestedFields.text(object, "apiVersion"))
                ? selecting(labelled, labels)
                : labelled;
    }

    /// Old API versions select by the template's labels where no selector is written; ours must not become one of
    /// these.
    private YamlNode.Mapping selecting(YamlNode.Mapping object, YamlNode.Mapping labels) {
        boolean selects = NestedFields.mapping(object, SELECTOR)
                .map(selector -> !selector.entries().isEmpty())
                .orElse(false);
        if (selects) {
            return object;
        }
        List<YamlNode.Entry> others = labels.entries().stream()
                .filter(entry -> !entry.key().equals(tracking.labelKey()))
                .toList();
        return NestedFields.with(object, SELECTOR_LABELS, YamlNode.map(others));
    }

    /// At most as long as a label may be, and without a sign at the end when it was cut.
    private static String shortened(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MOST_LABEL_BYTES) {
            return name;
        }
        int length = MOST_LABEL_BYTES;
        while (!isLetterOrDigit(bytes[length - 1])) {
            length--;
            if (length == 0) {
                throw new Fault(
                        FaultCode.MANIFEST_TRACKING,
                        "failed to set app instance label: unable to truncate label to not end with a special character");
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static boolean isLetterOrDigit(byte c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }
}

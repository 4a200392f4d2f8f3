package dev.remora.manifest;

import dev.remora.yaml.YamlNode;

/// An object's group, version and kind as Kubernetes' client library reads them: nothing at all where `apiVersion` has
/// two slashes, texts that are none count as empty.
record GroupKind(String group, String version, String kind) {
    private static final GroupKind NONE = new GroupKind("", "", "");

    static GroupKind of(YamlNode.Mapping object) {
        String apiVersion = NestedFields.text(object, "apiVersion");
        String kind = NestedFields.text(object, "kind");
        if (apiVersion.isEmpty() || apiVersion.equals("/")) {
            return new GroupKind("", "", kind);
        }
        int slash = apiVersion.indexOf('/');
        if (slash < 0) {
            return new GroupKind("", apiVersion, kind);
        }
        return apiVersion.indexOf('/', slash + 1) >= 0
                ? NONE
                : new GroupKind(apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind);
    }

    boolean isCustomResourceDefinition() {
        return kind.equals("CustomResourceDefinition") && group.equals("apiextensions.k8s.io");
    }

    /// As messages have it.
    @Override
    public String toString() {
        return group + "/" + version + ", Kind=" + kind;
    }
}

package dev.remora.manifest;

import dev.remora.manifest.RenderedObject.ObjectName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Two objects that are one in the cluster: Argo CD applies the last of them, and warns.
public record Duplicate(RenderedObject first, RenderedObject last) {
    /// Kinds of Kubernetes itself that are in no namespace, with their group. Of all others only a cluster could tell.
    private static final Set<String> CLUSTER_WIDE = Set.of(
            "/ComponentStatus",
            "/Namespace",
            "/Node",
            "/PersistentVolume",
            "admissionregistration.k8s.io/MutatingAdmissionPolicy",
            "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding",
            "admissionregistration.k8s.io/MutatingWebhookConfiguration",
            "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
            "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
            "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
            "apiextensions.k8s.io/CustomResourceDefinition",
            "apiregistration.k8s.io/APIService",
            "certificates.k8s.io/CertificateSigningRequest",
            "certificates.k8s.io/ClusterTrustBundle",
            "flowcontrol.apiserver.k8s.io/FlowSchema",
            "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration",
            "networking.k8s.io/IngressClass",
            "networking.k8s.io/IPAddress",
            "networking.k8s.io/ServiceCIDR",
            "node.k8s.io/RuntimeClass",
            "policy/PodSecurityPolicy",
            "rbac.authorization.k8s.io/ClusterRole",
            "rbac.authorization.k8s.io/ClusterRoleBinding",
            "resource.k8s.io/DeviceClass",
            "resource.k8s.io/ResourceSlice",
            "scheduling.k8s.io/PriorityClass",
            "storage.k8s.io/CSIDriver",
            "storage.k8s.io/CSINode",
            "storage.k8s.io/StorageClass",
            "storage.k8s.io/VolumeAttachment",
            "storage.k8s.io/VolumeAttributesClass");

    /// What is one object in a cluster, whatever version it is written in.
    private record Key(String group, String kind, String namespace, String name) {
        static Key of(ObjectName object, String destination) {
            boolean clusterWide = CLUSTER_WIDE.contains(object.group() + "/" + object.kind());
            String namespace = object.namespace().isEmpty() ? destination : object.namespace();
            return new Key(object.group(), object.kind(), clusterWide ? "" : namespace, object.name());
        }
    }

    /// The duplicates among the objects of one Application, all its sources together, in the order of their last ones.
    ///
    /// @param namespace the destination's, where objects go that name none
    public static List<Duplicate> among(List<RenderedObject> objects, String namespace) {
        Map<Key, RenderedObject> seen = new HashMap<>();
        List<Duplicate> duplicates = new ArrayList<>();
        for (RenderedObject object : objects) {
            if (object.name().generated()) {
                continue;
            }
            RenderedObject before = seen.put(Key.of(object.name(), namespace), object);
            if (before != null) {
                duplicates.add(new Duplicate(before, object));
            }
        }
        return duplicates;
    }

    /// A sentence with both places.
    public String warning() {
        String name = last.name().group().isEmpty()
                ? last.name().toString()
                : last.name().kind() + "." + last.name().group() + "/"
                        + last.name().name();
        return name + " is rendered twice: " + place(first) + " and " + place(last)
                + "; Argo CD applies the last one and warns (RepeatedResourceWarning)";
    }

    private String place(RenderedObject object) {
        boolean several = first.place().source() != last.place().source();
        return (several ? "source " + (object.place().source() + 1) + " " : "") + object.place();
    }
}

package dev.remora.render;

import java.util.List;

/// What is known of the cluster without asking it.
///
/// @param version as the cluster reports it, or empty
/// @param apiVersions such as `apps/v1` and `apps/v1/Deployment`, in any order
public record KubeFacts(String version, List<String> apiVersions) {
    public static final KubeFacts UNKNOWN = new KubeFacts("", List.of());

    public KubeFacts {
        apiVersions = List.copyOf(apiVersions);
    }
}

package dev.remora.render;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What is the same for every Application of a run.
///
/// @param exclusions patterns of `--plugin-tar-exclude`
/// @param controlPlane the namespace of Argo CD itself: Applications elsewhere are called `<namespace>_<name>`
/// @param timeout the time that the caller gives to each source; empty: no limit
public record RenderOptions(KubeFacts kube, List<String> exclusions, String controlPlane, Optional<Duration> timeout) {
    public RenderOptions {
        exclusions = List.copyOf(exclusions);
    }
}

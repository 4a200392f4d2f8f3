package dev.remora.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/// Objects for tests, as they come out of a plugin's output.
public final class Rendered {
    private Rendered() {}

    /// Of YAML, not marked as anyone's.
    public static List<RenderedObject> of(String yaml) {
        return new PostProcessing(Tracking.standard("", ""))
                .ofPlugin(0, ManifestSplitter.split(yaml.getBytes(UTF_8), SplitOptions.ARGOCD));
    }
}

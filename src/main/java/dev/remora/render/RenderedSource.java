package dev.remora.render;

import dev.remora.application.PluginEnvironment;
import dev.remora.git.Resolution;
import dev.remora.manifest.ManifestDocument;
import dev.remora.posix.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// One source's part of an Application.
///
/// @param position from 0, in the Application's order
/// @param by what made the manifests: the plugin's name, `directory`; empty for a source that has none of its own
/// @param resolution which revision was meant, and why
/// @param revision what the plugin was told
/// @param changed files of a local folder that are not committed as they are
/// @param documents as they were answered, before what Argo CD does with them
/// @param age of an answer that was not made now
public record RenderedSource(
        int position,
        EffectiveSource effective,
        Resolution resolution,
        String revision,
        List<Bytes> changed,
        String by,
        PluginEnvironment environment,
        List<ManifestDocument> documents,
        Optional<Duration> age) {
    public RenderedSource {
        changed = List.copyOf(changed);
        documents = List.copyOf(documents);
    }
}

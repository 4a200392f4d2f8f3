package dev.remora.render;

import dev.remora.application.PluginEnvironment;
import dev.remora.git.Resolution;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.RenderedObject;
import dev.remora.posix.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// One source's part of an Application.
///
/// @param position from 0, in the Application's order
/// @param resolution which revision was meant, and why
/// @param revision what the plugin was told
/// @param changed files of a local folder that are not committed as they are
/// @param choice what made the manifests, and why; empty for a source that makes none
/// @param environment what the plugin was told
/// @param documents as they were answered, before what Argo CD does with them
/// @param objects what Argo CD makes of them
/// @param age of an answer that was not made now
public record RenderedSource(
        int position,
        EffectiveSource effective,
        Resolution resolution,
        String revision,
        List<Bytes> changed,
        Optional<SourceChoice> choice,
        PluginEnvironment environment,
        List<ManifestDocument> documents,
        List<RenderedObject> objects,
        Optional<Duration> age) {
    public RenderedSource {
        changed = List.copyOf(changed);
        documents = List.copyOf(documents);
        objects = List.copyOf(objects);
    }

    RenderedSource aged(Optional<Duration> answer) {
        return new RenderedSource(
                position, effective, resolution, revision, changed, choice, environment, documents, objects, answer);
    }

    /// What made the manifests: the plugin's name, `directory` and its path; empty for a source that makes none.
    public String by() {
        return choice.map(made -> switch (made.type()) {
                    case SourceType.Plugin(KnownPlugin plugin) -> plugin.name();
                    case SourceType.Directory _ ->
                        "directory " + effective.source().path();
                    case SourceType.Helm _ -> "Helm";
                    case SourceType.Kustomize _ -> "Kustomize";
                })
                .orElse("");
    }
}

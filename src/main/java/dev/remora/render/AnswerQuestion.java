package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.cache.Fingerprint;
import dev.remora.yaml.GoJson;
import java.util.List;
import java.util.Map;

/// What a plugin is about to be asked, as far as an earlier answer to the same counts.
///
/// @param position the source's place among the Application's, from 0
/// @param source with the repository's overrides
/// @param request whose files are known
/// @param refs the sources that are laid beside it, each with its name and tree
record AnswerQuestion(
        KnownPlugin plugin, int position, ApplicationSource source, RenderRequest request, List<String> refs) {
    AnswerQuestion {
        refs = List.copyOf(refs);
    }

    /// Who asks, for telling what changed since the last time.
    String who() {
        return plugin.name() + "\n" + request.project() + "\n" + request.application() + "\n" + position;
    }

    /// What counts beside the plugin, its environment and the files.
    Map<String, String> parts() {
        return Map.of(
                "repository", new Fingerprint().add(source.repoUrl()).hex(),
                "source", new Fingerprint().add(GoJson.text(source.written())).hex(),
                "refs", new Fingerprint().add(String.join("\n", refs)).hex());
    }
}

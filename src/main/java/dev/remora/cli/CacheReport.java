package dev.remora.cli;

import dev.remora.application.Application;
import dev.remora.digest.Sha256;
import dev.remora.git.RevisionTree;
import dev.remora.manifest.Tracking;
import dev.remora.plugin.PluginDefinition;
import dev.remora.render.AnswerKey;
import dev.remora.render.PluginAnswers;
import dev.remora.yaml.GoJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// `explain --cache`: what a stored answer is known by, here and in Argo CD, so that two runs can be compared line by
/// line. Values are digests.
final class CacheReport {
    private static final int SHOWN = 12;

    private final Application application;
    private final int position;
    private final SourceStory story;
    private final ApplicationWork work;
    private final Optional<Path> folder;

    CacheReport(Application application, int position, SourceStory story, ApplicationWork work, Optional<Path> folder) {
        this.application = application;
        this.position = position;
        this.story = story;
        this.work = work;
        this.folder = folder;
    }

    void into(Tree tree, Map<String, Object> json) {
        Map<String, Object> here = new LinkedHashMap<>();
        story.tree.map(RevisionTree::id).ifPresent(id -> here.put("files", id));
        story.effective.ifPresent(
                source -> here.put("source", digest(GoJson.text(source.source().written()))));
        SourceReport.definition(story).map(PluginDefinition::digest).ifPresent(digest -> here.put("plugin", digest));
        story.environment.ifPresent(told -> here.put(
                "environment",
                digest(told.variables().stream()
                        .map(variable -> variable.name() + "=" + variable.value())
                        .collect(Collectors.joining("\n")))));
        Tree ours = tree.branch("an answer of the plugin is the same while these are");
        here.forEach((part, value) -> ours.branch(part + " " + shown(value.toString())));
        SourceReport.definition(story)
                .map(plugin -> plugin.settings().cache())
                .ifPresent(
                        cache -> ours.branch(
                                cache.results()
                                        ? "a sidecar keeps answers in memory" + age(cache.maxAge())
                                        : "a sidecar keeps no answers: the definition does not state remora: {cache: {results: true}}"));
        json.put("kept", kept(tree));
        Map<String, Object> theirs = argocd();
        Tree argocd = tree.branch("Argo CD's repo-server answers from its cache while these are the same");
        theirs.forEach((part, value) -> argocd.branch(part + " " + value));
        argocd.branch("not among them: the plugin, its version, settings and image, the override files, exclusions,"
                + " credentials. A hard refresh asks the plugin: argocd app get " + application.name()
                + " --hard-refresh");
        argocd.branch(
                "whether a cluster has an answer stored is not known without --context, which this version has not");
        Map<String, Object> key = new LinkedHashMap<>();
        key.put("remora", here);
        key.put("argocd", theirs);
        json.put("key", key);
    }

    /// Whether a render would give a kept answer.
    private Map<String, Object> kept(Tree tree) {
        Map<String, Object> json = new LinkedHashMap<>();
        if (folder.isEmpty()) {
            tree.branch("render keeps answers for its own run; with --cache-dir=DIR for later ones, too");
            return json;
        }
        story.kept.ifPresent(look -> {
            switch (look) {
                case PluginAnswers.Look.Never(String reason) -> {
                    json.put("outcome", "never");
                    json.put("reason", reason);
                    tree.branch("render --cache-dir keeps no answer here: " + reason);
                }
                case PluginAnswers.Look.Hit(AnswerKey key, Duration age) -> {
                    json.put("outcome", "hit");
                    json.put("ageSeconds", age.toSeconds());
                    json.put("parts", key.parts());
                    tree.branch("render would give the answer kept in " + folder.get() + ", "
                            + RenderOutcome.Rendered.words(age) + " old; this explanation is of a new one");
                }
                case PluginAnswers.Look.Miss(AnswerKey key, Optional<AnswerKey> before) -> {
                    json.put("outcome", "miss");
                    json.put("parts", key.parts());
                    before.ifPresent(last -> json.put("differs", key.differences(last)));
                    miss(tree, key, before);
                }
            }
        });
        return json;
    }

    private void miss(Tree tree, AnswerKey key, Optional<AnswerKey> before) {
        if (before.isEmpty()) {
            tree.branch("no answer for this source is kept in " + folder.orElseThrow());
            return;
        }
        List<String> names = key.differences(before.get());
        Tree miss = tree.branch(
                names.isEmpty()
                        ? "the last kept answer is too old (remora.cache.maxAge), or had to make room"
                        : "render would make a new answer; against the last one kept in " + folder.orElseThrow()
                                + " these differ");
        names.forEach(miss::branch);
    }

    private static String age(Optional<Duration> most) {
        return most.map(time -> " for " + time.toSeconds() + "s (remora.cache.maxAge)")
                .orElse("");
    }

    private Map<String, Object> argocd() {
        Tracking tracking = work.options().trackingOf(application);
        Map<String, Object> key = new LinkedHashMap<>();
        key.put("application", application.instanceName(work.controlPlane()));
        story.checkout.flatMap(SourceStory.Checkout::commit).ifPresent(commit -> key.put("revision", commit));
        key.put("namespace", application.destination().namespace());
        key.put("tracking", tracking.method().word() + ":" + tracking.labelKey());
        if (!tracking.installationId().isEmpty()) {
            key.put("installationId", tracking.installationId());
        }
        key.put(
                "source",
                shown(digest(GoJson.text(application.sources().get(position).written()))));
        String version = work.kubeFacts().version();
        key.put("kubeVersion", version.isEmpty() ? "not given here" : version);
        key.put("apiVersions", work.kubeFacts().apiVersions().size());
        return key;
    }

    private static String digest(String text) {
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String shown(String digest) {
        return digest.substring(0, Math.min(SHOWN, digest.length()));
    }
}

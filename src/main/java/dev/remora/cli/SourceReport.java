package dev.remora.cli;

import dev.remora.application.Application;
import dev.remora.application.ApplicationSource;
import dev.remora.application.PluginEnvironment.Origin;
import dev.remora.application.SourceOverrides;
import dev.remora.archive.PackReport;
import dev.remora.archive.PackedFile;
import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import dev.remora.fault.Secret;
import dev.remora.manifest.RenderedObject;
import dev.remora.manifest.Tracking;
import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.RemoraSettings;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandLine;
import dev.remora.render.Asked;
import dev.remora.render.Asked.Answer;
import dev.remora.render.KnownPlugin;
import dev.remora.render.SourceChoice;
import dev.remora.render.SourceType;
import dev.remora.telemetry.Mask;
import dev.remora.telemetry.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// One source's story as a tree for people and as JSON for programs: what was decided, by whom and why. Secrets are
/// masked.
final class SourceReport {
    private static final int SHORT_COMMIT = 12;
    private static final int MOST_LINES = 20;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final ApplicationSource written;
    private final SourceStory story;
    private final Tracking tracking;
    private final Mask mask;

    SourceReport(Application application, int position, SourceStory story, Tracking tracking, Mask mask) {
        this.written = application.sources().get(position);
        this.story = story;
        this.tracking = tracking;
        this.mask = mask;
    }

    /// The plugin's definition, where it is known here and was chosen.
    static Optional<PluginDefinition> definition(SourceStory story) {
        return story.choice.flatMap(choice ->
                choice.type() instanceof SourceType.Plugin(KnownPlugin.Definition(PluginDefinition plugin, String _))
                        ? Optional.of(plugin)
                        : Optional.empty());
    }

    void into(Tree tree, Map<String, Object> json) {
        checkout(tree, json);
        overrides(tree, json);
        story.choice.ifPresent(choice -> choice(choice, tree, json));
        story.sent.ifPresent(sent -> sent(sent, tree, json));
        parameters(tree, json);
        commands(tree, json);
        documents(tree, json);
        story.choice.ifPresent(
                choice -> choice.warnings().forEach(warning -> tree.branch("warning: " + shown(warning))));
        story.stoppedAt.ifPresent(step -> {
            tree.branch(
                    "stopped here, as asked (" + (step.equals(SourceStory.SHELL) ? "--shell" : "--at " + step) + ")");
            json.put("stoppedAt", step);
        });
        story.failure.ifPresent(fault -> {
            tree.branch(
                    "FAILED: " + shown(Fault.words(fault)) + " [" + fault.code().id() + "]");
            json.put("failure", FaultReport.json(fault.reworded(mask::apply), Optional.empty()));
        });
    }

    private void checkout(Tree tree, Map<String, Object> json) {
        json.put("repoURL", written.repoUrl());
        json.put("path", written.path());
        json.put("targetRevision", written.targetRevision());
        if (story.checkout.isEmpty()) {
            return;
        }
        SourceStory.Checkout checkout = story.checkout.get();
        String commit = checkout.commit()
                .map(id -> id.substring(0, Math.min(SHORT_COMMIT, id.length())))
                .orElse("no commit");
        Tree branch = tree.branch(checkout.meant() + " → " + commit
                + checkout.committed().map(time -> " of " + TIME.format(time)).orElse("")
                + (checkout.folder() ? dirty(checkout) : "")
                + "; " + count(checkout.files(), "file") + ", " + size(checkout.bytes()));
        checkout.changed().stream().limit(MOST_LINES).forEach(file -> branch.branch("not committed: " + file));
        Map<String, Object> revision = new LinkedHashMap<>();
        revision.put("meant", checkout.meant());
        checkout.commit().ifPresent(id -> revision.put("commit", id));
        checkout.committed().map(Instant::toString).ifPresent(time -> revision.put("committed", time));
        revision.put("workingTree", checkout.folder());
        revision.put("changed", checkout.changed());
        revision.put("files", checkout.files());
        revision.put("bytes", checkout.bytes());
        json.put("revision", revision);
    }

    private static String dirty(SourceStory.Checkout checkout) {
        return checkout.changed().isEmpty()
                ? " (working tree)"
                : " (working tree, " + count(checkout.changed().size(), "file") + " changed)";
    }

    private void overrides(Tree tree, Map<String, Object> json) {
        if (story.effective.isEmpty()) {
            if (written.path().isEmpty() && story.checkout.isPresent() && story.failure.isEmpty()) {
                tree.branch(
                        written.ref().isEmpty()
                                ? "renders nothing: it has no path"
                                : "renders nothing: it lends its files to other sources as $" + written.ref());
            }
            return;
        }
        var effective = story.effective.get();
        List<Map<String, Object>> all = new ArrayList<>();
        if (effective.files().isEmpty()) {
            tree.branch("source as written: no " + SourceOverrides.FOR_ALL + " in its folder");
        }
        for (String file : effective.files()) {
            List<SourceOverrides.Change> changes = effective.changes().stream()
                    .filter(each -> file.endsWith(each.file()))
                    .toList();
            Tree branch = tree.branch(file + (changes.isEmpty() ? " changes nothing" : " changes"));
            for (SourceOverrides.Change change : changes) {
                String before = change.before().isEmpty() ? "nothing" : shown(change.before());
                String after = change.after().isEmpty() ? "nothing" : shown(change.after());
                branch.branch(change.field() + ": " + before + " → " + after);
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("file", file);
                one.put("field", change.field());
                one.put("before", shown(change.before()));
                one.put("after", shown(change.after()));
                all.add(one);
            }
        }
        json.put("overrideFiles", effective.files());
        json.put("overrides", all);
    }

    private void choice(SourceChoice choice, Tree tree, Map<String, Object> json) {
        Tree branch = tree.branch(type(choice.type()) + ": " + shown(choice.reason()));
        List<Map<String, Object>> asked = new ArrayList<>();
        for (Asked each : choice.asked()) {
            boolean chosen =
                    choice.type() instanceof SourceType.Plugin(KnownPlugin plugin) && plugin.equals(each.plugin());
            branch.branch(each.plugin().name() + "  " + answer(each) + (chosen ? "  ← renders this Application" : "")
                    + "  (" + each.plugin().from() + ")");
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("plugin", each.plugin().name());
            one.put("from", each.plugin().from());
            one.put("chosen", chosen);
            one.put("beyond", each.beyond());
            one.put("supported", each.wants());
            one.put("answer", word(each));
            one.put("reason", shown(each.answer().words()));
            asked.add(one);
        }
        choice.without().ifPresent(without -> {
            tree.branch("without plugins: " + shown(without));
            json.put("withoutPlugins", without);
            if (choice.type() instanceof SourceType.Plugin(KnownPlugin plugin)) {
                tree.branch("→ state it: spec.source.plugin: {name: " + plugin.name() + "}, or " + block(without));
            }
        });
        json.put("type", type(choice.type()));
        json.put("reason", shown(choice.reason()));
        json.put("asked", asked);
        json.put("warnings", choice.warnings().stream().map(this::shown).toList());
    }

    /// The block that keeps plugins away.
    private static String block(String without) {
        String word = without.toLowerCase(Locale.ROOT);
        return "spec.source."
                + (word.startsWith("helm") ? "helm" : word.startsWith("kustom") ? "kustomize" : "directory") + ": {}";
    }

    private String answer(Asked asked) {
        String said = word(asked) + "  " + shown(asked.answer().words());
        return asked.beyond() ? "not asked any more by Argo CD; would say " + said : said;
    }

    private static String word(Asked asked) {
        return switch (asked.answer()) {
            case Answer.Said(Verdict.Yes _) -> "YES";
            case Answer.Said(Verdict.No _) -> "NO";
            case Answer.Said(Verdict.Unasked _) -> "BY NAME";
            case Answer.Failed _ -> "COULD NOT BE ASKED";
            case Answer.NotAsked _ -> "NOT ASKED";
        };
    }

    private static String type(SourceType type) {
        return switch (type) {
            case SourceType.Plugin(KnownPlugin plugin) -> "plugin " + plugin.name();
            case SourceType.Directory _ -> "directory of plain files";
            case SourceType.Helm _ -> "Helm";
            case SourceType.Kustomize _ -> "Kustomize";
        };
    }

    private static void sent(PackReport sent, Tree tree, Map<String, Object> json) {
        Tree branch = tree.branch("sent " + count(sent.files(), "file") + ", " + size(sent.content()) + " ("
                + size(sent.compressed()) + " packed)");
        String biggest = sent.biggest().stream()
                .map(file -> file.path() + " " + size(file.size()))
                .collect(Collectors.joining(", "));
        if (!biggest.isEmpty()) {
            branch.branch("biggest: " + biggest);
        }
        if (sent.excluded() > 0) {
            branch.branch("left out " + count(sent.excluded(), "entry") + ": " + names(sent));
        }
        if (sent.skipped() > 0) {
            branch.branch("passed over " + count(sent.skipped(), "pipe, socket or device"));
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("files", sent.files());
        all.put("bytes", sent.content());
        all.put("packedBytes", sent.compressed());
        Map<String, Object> sizes = new LinkedHashMap<>();
        for (PackedFile file : sent.biggest()) {
            sizes.put(file.path().toString(), file.size());
        }
        all.put("biggest", sizes);
        all.put("leftOut", sent.leftOut().stream().map(Bytes::toString).toList());
        all.put("leftOutEntries", sent.excluded());
        json.put("sent", all);
    }

    private static String names(PackReport sent) {
        List<Bytes> some = sent.leftOut();
        String names = some.stream().limit(MOST_LINES).map(Bytes::toString).collect(Collectors.joining(", "));
        return names + (sent.excluded() > Math.min(some.size(), MOST_LINES) ? ", …" : "");
    }

    private void parameters(Tree tree, Map<String, Object> json) {
        List<Origin> all = story.environment.map(told -> told.origins()).orElse(List.of()).stream()
                .filter(origin -> origin.variable().name().toString().startsWith("PARAM_"))
                .toList();
        if (all.isEmpty()) {
            return;
        }
        Tree branch = tree.branch(count(all.size(), "parameter variable"));
        Map<String, Object> values = new LinkedHashMap<>();
        for (Origin origin : all) {
            String name = origin.variable().name().toString();
            String value = origin.variable().value().toString();
            String shown = Mask.isSecretName(name) && !value.isEmpty() ? Secret.MASK : shown(value);
            branch.branch(name + "=" + shown + "  ← " + origin.from());
            values.put(name, shown);
        }
        json.put("parameters", values);
    }

    private void commands(Tree tree, Map<String, Object> json) {
        Map<Phase, Duration> took = story.phases.took();
        definition(story).ifPresent(plugin -> {
            List<Map<String, Object>> all = new ArrayList<>();
            command("init", plugin.init(), Optional.ofNullable(took.get(Phase.INIT)), tree, all);
            Tree generate = command("generate", plugin.generate(), generated(took), tree, all);
            story.stderr.filter(text -> !text.isBlank()).ifPresent(text -> {
                text.lines().limit(MOST_LINES).forEach(line -> generate.branch("stderr: " + shown(line)));
                json.put("stderr", shown(text));
            });
            json.put("commands", all);
            guards(plugin.settings().output(), tree, json);
        });
        Map<String, Object> timings = new LinkedHashMap<>();
        took.forEach((phase, time) -> timings.put(phase.word(), OutputIndex.seconds(time)));
        if (!timings.isEmpty()) {
            tree.branch("time: "
                    + timings.entrySet().stream()
                            .map(entry -> entry.getKey() + " " + entry.getValue() + "s")
                            .collect(Collectors.joining("  ")));
        }
        json.put("timings", timings);
    }

    /// A shell in its place counts for another phase's time.
    private Optional<Duration> generated(Map<Phase, Duration> took) {
        boolean attended = story.stoppedAt.filter(SourceStory.SHELL::equals).isPresent();
        return attended ? Optional.empty() : Optional.ofNullable(took.get(Phase.GENERATE));
    }

    private Tree command(
            String name, CommandSpec spec, Optional<Duration> took, Tree tree, List<Map<String, Object>> all) {
        if (!spec.defined()) {
            return tree;
        }
        String line =
                shown(CommandLine.rendered(spec.argv().stream().map(Bytes::utf8).toList()));
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", name);
        one.put("command", line);
        took.ifPresent(time -> one.put("seconds", OutputIndex.seconds(time)));
        all.add(one);
        return tree.branch(name + ": " + line
                + took.map(time -> "  " + OutputIndex.seconds(time) + "s").orElse("  (not run)"));
    }

    private static void guards(RemoraSettings.Output output, Tree tree, Map<String, Object> json) {
        List<String> guards = new ArrayList<>();
        guards.add(output.allowEmpty() ? "an empty answer passes" : "an empty answer is refused");
        guards.add(output.allowCipherText() ? "SOPS cipher text passes" : "SOPS cipher text is refused");
        if (!output.forbid().isEmpty()) {
            guards.add(count(output.forbid().size(), "forbidden pattern"));
        }
        tree.branch("guards: " + String.join(", ", guards));
        json.put("guards", guards);
    }

    private void documents(Tree tree, Map<String, Object> json) {
        story.documents.ifPresent(documents -> {
            long bytes = documents.stream()
                    .mapToLong(document -> document.json().length)
                    .sum();
            tree.branch("answer: " + count(documents.size(), "document") + ", " + size(bytes) + " of JSON");
            json.put("documents", documents.size());
            json.put("documentBytes", bytes);
        });
        if (story.objects.isEmpty()) {
            return;
        }
        List<RenderedObject> objects = story.objects.get();
        Map<String, Object> kinds = new TreeMap<>();
        objects.forEach(object -> kinds.merge(object.name().kind(), 1, (a, b) -> (Integer) a + (Integer) b));
        String some = kinds.entrySet().stream()
                .limit(MOST_LINES)
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        tree.branch(count(objects.size(), "object") + (some.isEmpty() ? "" : ": " + some));
        tree.branch("tracking: " + tracking(objects));
        json.put("objects", objects.size());
        json.put("kinds", kinds);
        json.put("tracking", tracking(objects));
    }

    private String tracking(List<RenderedObject> objects) {
        if (tracking.labelKey().isEmpty()) {
            return "none, since the label key is empty";
        }
        String mark = switch (tracking.method()) {
            case ANNOTATION -> "annotation argocd.argoproj.io/tracking-id";
            case LABEL -> "label " + tracking.labelKey() + "=" + tracking.application();
            case ANNOTATION_AND_LABEL -> "annotation argocd.argoproj.io/tracking-id and label " + tracking.labelKey();
        };
        long definitions = objects.stream()
                .filter(object -> object.name().kind().equals("CustomResourceDefinition")
                        && object.name().group().equals("apiextensions.k8s.io"))
                .count();
        return mark + " for " + tracking.application()
                + (definitions > 0 ? "; not on " + count(definitions, "CustomResourceDefinition") : "");
    }

    private String shown(String text) {
        return mask.apply(text);
    }

    private static String count(long number, String what) {
        String many = what.endsWith("y") ? what.substring(0, what.length() - 1) + "ies" : what + "s";
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? what : many);
    }

    static String size(long bytes) {
        if (bytes < 10_000) {
            return bytes + " B";
        }
        return bytes < 10_000_000
                ? String.format(Locale.ROOT, "%,d KB", bytes / 1000)
                : String.format(Locale.ROOT, "%,.1f MB", bytes / 1e6);
    }
}

package dev.remora.render;

import dev.remora.application.Application;
import dev.remora.application.ApplicationSource;
import dev.remora.application.BuildEnvironment;
import dev.remora.application.PluginEnvironment;
import dev.remora.application.PluginEnvironment.PluginBlock;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.PostProcessing;
import dev.remora.manifest.RenderedObject;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.Cancellation;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One source of one Application, step by step. For one thread, once.
final class SourceRender {
    private static final Bytes ABOUT_THE_APPLICATION = Bytes.utf8("ARGOCD_APP_");

    private final Application application;
    private final int position;
    private final ApplicationSource written;
    private final SourceTrees trees;
    private final RenderOptions options;
    private final Renderer.Selection selection;
    private final SourceTypes.Hosts hosts;
    private final DirectorySource directories;
    private final PluginAnswers answers;
    private final Cancellation cancellation;
    private final Phases phases;
    private final RenderSteps steps;
    private final PostProcessing after;
    private final List<String> warnings = new ArrayList<>();

    SourceRender(
            Application application,
            int position,
            SourceTrees trees,
            RenderOptions options,
            Renderer.Selection selection,
            SourceTypes.Hosts hosts,
            DirectorySource directories,
            PluginAnswers answers,
            Cancellation cancellation,
            Phases phases,
            RenderSteps steps) {
        this.application = application;
        this.position = position;
        this.written = application.sources().get(position);
        this.trees = trees;
        this.options = options;
        this.selection = selection;
        this.hosts = hosts;
        this.directories = directories;
        this.answers = answers;
        this.cancellation = cancellation;
        this.phases = phases;
        this.steps = steps;
        this.after = new PostProcessing(options.trackingOf(application));
    }

    /// What [#run] wants people to know.
    List<String> warnings() {
        return warnings;
    }

    RenderedSource run() {
        if (!written.chart().isEmpty()) {
            throw new Fault(
                    FaultCode.SOURCE_NOT_YET,
                    "the source is a Helm chart (" + written.chart() + "), which this version does not render");
        }
        try (SourceTree tree =
                phases.time(Phase.FETCH, () -> trees.lend(written, application.project(), cancellation))) {
            steps.laidOut(position, tree);
            refuseLinkOutside(tree);
            warnings.addAll(tree.laidOut().warnings());
            if (written.isReferenceOnly()
                    || (application.several() && written.path().isEmpty())) {
                return nothing(tree);
            }
            ApplicationFolder folder = ApplicationFolder.of(tree.folder(), written.path());
            EffectiveSource effective = Overrides.read(written, folder, name());
            steps.effective(position, effective);
            PluginEnvironment environment = environment(effective.source(), tree, Optional.empty());
            steps.told(position, environment);
            RenderRequest full = request(tree, environment.variables());
            SourceChoice choice = selection.choose(
                    new SourceTypes.Question(effective, tree.folder(), folder.folder(), untyped(full), full), phases);
            steps.chosen(position, choice);
            warnings.addAll(choice.warnings());
            return switch (choice.type()) {
                case SourceType.Plugin(KnownPlugin plugin) -> byPlugin(plugin, tree, effective, choice);
                case SourceType.Directory(ApplicationSource.Directory settings) ->
                    ofFolder(settings, tree, folder, effective, choice);
                case SourceType.Helm _, SourceType.Kustomize _ -> throw choice.notYet();
            };
        }
    }

    private static void refuseLinkOutside(SourceTree tree) {
        tree.laidOut().linkOutside().ifPresent(link -> {
            throw new Fault(FaultCode.GIT_TREE, "repository contains out-of-bounds symlinks. file: " + link);
        });
    }

    private RenderedSource byPlugin(
            KnownPlugin plugin, SourceTree tree, EffectiveSource effective, SourceChoice choice) {
        try (RefSources refs = refs(plugin, effective.source())) {
            PluginEnvironment environment = environment(effective.source(), tree, Optional.of(refs));
            List<EnvironmentVariable> variables = new ArrayList<>(environment.variables());
            variables.addAll(refs.variables());
            RenderRequest request = request(tree, variables).reading(refs.folders());
            AnswerQuestion question = new AnswerQuestion(
                    plugin, position, effective.source(), request, refs.ids().toList());
            PluginAnswers.Given given;
            try (PluginHost host = hosts.open(plugin)) {
                steps.told(position, environment);
                steps.mayBeKept(position, () -> answers.look(question, warnings::add));
                steps.asking(position, host, request);
                given = answers.answer(question, warnings::add, () -> generate(host, request));
            }
            List<ManifestDocument> documents = given.documents();
            steps.answered(position, documents);
            List<RenderedObject> objects = phases.time(Phase.CHECK, () -> after.ofPlugin(position, documents));
            steps.made(position, objects);
            return rendered(tree, effective, Optional.of(choice), environment, documents, objects)
                    .aged(given.age());
        }
    }

    private List<ManifestDocument> generate(PluginHost host, RenderRequest request) {
        return host instanceof LocalHost local
                ? local.generate(request, phases, stderr -> steps.said(position, stderr))
                : host.generate(request, phases);
    }

    /// The refs that are laid beside the plugin; none where it does not ask for them.
    private RefSources refs(KnownPlugin plugin, ApplicationSource source) {
        List<String> named = source.plugin()
                .map(block -> RefSources.named(application, block.block()))
                .orElse(List.of());
        return switch (plugin) {
            case KnownPlugin.Definition definition -> {
                if (definition.plugin().settings().refs()) {
                    yield phases.time(Phase.FETCH, () -> RefSources.lend(application, trees, cancellation));
                }
                named.forEach(name -> warnings.add("$" + name + " becomes nothing, as in Argo CD: the plugin "
                        + plugin.name() + " does not state remora: {refs: true}"));
                yield RefSources.NONE;
            }
            case KnownPlugin.Socket _ -> {
                if (!named.isEmpty()) {
                    throw new Fault(
                            FaultCode.APPLICATION_INVALID,
                            "$" + named.getFirst() + " cannot reach the plugin server " + plugin.from()
                                    + ": Argo CD's protocol carries one repository; give the plugin's definition, which"
                                    + " states remora: {refs: true}, with --plugin");
                }
                yield RefSources.NONE;
            }
        };
    }

    private RenderedSource ofFolder(
            ApplicationSource.Directory settings,
            SourceTree tree,
            ApplicationFolder folder,
            EffectiveSource effective,
            SourceChoice choice) {
        DirectorySource.Contents contents =
                phases.time(Phase.GENERATE, () -> directories.read(tree.folder(), folder.folder(), settings));
        warnings.addAll(contents.warnings());
        List<ManifestDocument> documents = new ArrayList<>();
        List<RenderedObject> objects = new ArrayList<>();
        phases.time(Phase.CHECK, () -> {
            for (DirectorySource.File file : contents.files()) {
                documents.addAll(file.documents());
                objects.addAll(after.ofFile(position, file.path(), file.documents()));
            }
            return objects;
        });
        steps.answered(position, documents);
        steps.made(position, objects);
        PluginEnvironment environment = environment(effective.source(), tree, Optional.empty());
        return rendered(tree, effective, Optional.of(choice), environment, documents, objects);
    }

    private String name() {
        return application.instanceName(options.controlPlane());
    }

    private RenderRequest request(SourceTree tree, List<EnvironmentVariable> variables) {
        return new RenderRequest(
                        tree.sent(options.exclusions()),
                        name(),
                        Bytes.utf8(written.path()),
                        application.project(),
                        variables,
                        options.timeout(),
                        cancellation)
                .sending(options.scopeOf(application))
                .lending(trees.loans(written, application.project()))
                .of(new SentTree(written.repoUrl(), tree, trees.files(), cancellation));
    }

    /// While the type is open, plugins are told about the Application only.
    private static RenderRequest untyped(RenderRequest full) {
        return full.telling(full.environment().stream()
                .filter(variable -> variable.name().startsWith(ABOUT_THE_APPLICATION))
                .filter(variable -> !variable.name().equals(Bytes.utf8("ARGOCD_APP_PARAMETERS")))
                .toList());
    }

    private PluginEnvironment environment(ApplicationSource source, SourceTree tree, Optional<RefSources> refs) {
        BuildEnvironment build = new BuildEnvironment(
                name(),
                application.destination().namespace(),
                application.project(),
                tree.revision(application.several()),
                source.repoUrl(),
                source.path(),
                source.targetRevision(),
                options.kube().version(),
                options.kube().apiVersions());
        Optional<PluginBlock> block = source.plugin().map(ApplicationSource.Plugin::block);
        return new PluginEnvironment(
                build,
                block.map(given -> refs.map(all -> all.substituted(given)).orElse(given)));
    }

    private RenderedSource nothing(SourceTree tree) {
        EffectiveSource effective = EffectiveSource.of(written);
        PluginEnvironment environment = environment(written, tree, Optional.empty());
        return rendered(tree, effective, Optional.empty(), environment, List.of(), List.of());
    }

    private RenderedSource rendered(
            SourceTree tree,
            EffectiveSource effective,
            Optional<SourceChoice> choice,
            PluginEnvironment environment,
            List<ManifestDocument> documents,
            List<RenderedObject> objects) {
        return new RenderedSource(
                position,
                effective,
                tree.resolution(),
                tree.revision(application.several()),
                tree.changed(),
                choice,
                environment,
                documents,
                objects,
                Optional.empty());
    }
}

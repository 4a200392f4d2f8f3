package dev.remora.render;

import dev.remora.application.Application;
import dev.remora.application.ApplicationSource;
import dev.remora.application.BuildEnvironment;
import dev.remora.application.PluginEnvironment;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.Duplicate;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.PostProcessing;
import dev.remora.manifest.RenderedObject;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// From an Application to its manifests, as the repo-server makes them. Threads may share it.
public final class Renderer {
    private final SourceTrees trees;
    private final RenderOptions options;
    private final Hosts hosts;

    /// Finds the plugin of a source.
    public interface Hosts {
        PluginHost hostOf(EffectiveSource source);
    }

    public Renderer(SourceTrees trees, RenderOptions options, Hosts hosts) {
        this.trees = trees;
        this.options = options;
        this.hosts = hosts;
    }

    /// All sources in their order.
    ///
    /// @param phases of this Application; the calling thread changes them
    public RenderedApplication render(Application application, Cancellation cancellation, Phases phases) {
        List<RenderedSource> sources = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        List<RenderedObject> objects = new ArrayList<>();
        PostProcessing after = new PostProcessing(options.trackingOf(application));
        for (int i = 0; i < application.sources().size(); i++) {
            RenderedSource source = source(application, i, cancellation, phases, warnings);
            sources.add(source);
            objects.addAll(phases.time(Phase.CHECK, () -> after.ofPlugin(source.position(), source.documents())));
        }
        Duplicate.among(objects, application.destination().namespace())
                .forEach(duplicate -> warnings.add(duplicate.warning()));
        return new RenderedApplication(application, sources, objects, warnings);
    }

    private RenderedSource source(
            Application application, int position, Cancellation cancellation, Phases phases, List<String> warnings) {
        ApplicationSource written = application.sources().get(position);
        if (!written.chart().isEmpty()) {
            throw new Fault(
                    FaultCode.APPLICATION_INVALID,
                    "the source is a Helm chart (" + written.chart() + "), which this version does not render");
        }
        try (SourceTree tree =
                phases.time(Phase.FETCH, () -> trees.lend(written, application.project(), cancellation))) {
            refuseLinkOutside(tree);
            warnings.addAll(tree.laidOut().warnings());
            if (written.isReferenceOnly()
                    || (application.several() && written.path().isEmpty())) {
                return rendered(application, position, EffectiveSource.of(written), tree, "", List.of());
            }
            ApplicationFolder folder = ApplicationFolder.of(tree.folder(), written.path());
            EffectiveSource effective = Overrides.read(written, folder, name(application));
            try (PluginHost host = hosts.hostOf(effective)) {
                List<ManifestDocument> documents =
                        host.generate(request(application, effective, tree, cancellation), phases);
                return rendered(application, position, effective, tree, host.name(), documents);
            }
        }
    }

    private static void refuseLinkOutside(SourceTree tree) {
        tree.laidOut().linkOutside().ifPresent(link -> {
            throw new Fault(FaultCode.GIT_TREE, "repository contains out-of-bounds symlinks. file: " + link);
        });
    }

    private String name(Application application) {
        return application.instanceName(options.controlPlane());
    }

    private RenderRequest request(
            Application application, EffectiveSource effective, SourceTree tree, Cancellation cancellation) {
        return new RenderRequest(
                tree.sent(options.exclusions()),
                name(application),
                Bytes.utf8(effective.written().path()),
                application.project(),
                environment(application, effective, tree).variables(),
                options.timeout(),
                cancellation);
    }

    private PluginEnvironment environment(Application application, EffectiveSource effective, SourceTree tree) {
        ApplicationSource source = effective.source();
        BuildEnvironment build = new BuildEnvironment(
                name(application),
                application.destination().namespace(),
                application.project(),
                tree.revision(application.several()),
                source.repoUrl(),
                source.path(),
                source.targetRevision(),
                options.kube().version(),
                options.kube().apiVersions());
        return new PluginEnvironment(build, source.plugin().map(ApplicationSource.Plugin::block));
    }

    private RenderedSource rendered(
            Application application,
            int position,
            EffectiveSource effective,
            SourceTree tree,
            String by,
            List<ManifestDocument> documents) {
        return new RenderedSource(
                position,
                effective,
                tree.resolution(),
                tree.revision(application.several()),
                tree.changed(),
                by,
                environment(application, effective, tree),
                documents,
                Optional.empty());
    }
}

package dev.remora.render;

import dev.remora.application.Application;
import dev.remora.manifest.Duplicate;
import dev.remora.manifest.RenderedObject;
import dev.remora.process.Cancellation;
import dev.remora.telemetry.Phases;
import java.util.ArrayList;
import java.util.List;

/// From an Application to its manifests, as the repo-server makes them. Threads may share it.
public final class Renderer {
    private final SourceTrees trees;
    private final RenderOptions options;
    private final Selection selection;
    private final SourceTypes.Hosts hosts;
    private final DirectorySource directories;
    private final PluginAnswers answers;

    /// Finds out how a source is rendered; usually [SourceTypes#choose].
    public interface Selection {
        SourceChoice choose(SourceTypes.Question question, Phases phases);
    }

    public Renderer(
            SourceTrees trees,
            RenderOptions options,
            Selection selection,
            SourceTypes.Hosts hosts,
            DirectorySource directories,
            PluginAnswers answers) {
        this.trees = trees;
        this.options = options;
        this.selection = selection;
        this.hosts = hosts;
        this.directories = directories;
        this.answers = answers;
    }

    /// All sources in their order.
    ///
    /// @param phases of this Application; the calling thread changes them
    public RenderedApplication render(Application application, Cancellation cancellation, Phases phases) {
        return render(application, cancellation, phases, RenderSteps.NONE);
    }

    /// As above.
    ///
    /// @param steps is told of each step
    public RenderedApplication render(
            Application application, Cancellation cancellation, Phases phases, RenderSteps steps) {
        List<RenderedSource> sources = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        List<RenderedObject> objects = new ArrayList<>();
        for (int i = 0; i < application.sources().size(); i++) {
            SourceRender source = source(application, i, cancellation, phases, steps);
            RenderedSource rendered = source.run();
            sources.add(rendered);
            objects.addAll(rendered.objects());
            warnings.addAll(source.warnings());
        }
        Duplicate.among(objects, application.destination().namespace())
                .forEach(duplicate -> warnings.add(duplicate.warning()));
        return new RenderedApplication(
                application, sources, objects, warnings.stream().distinct().toList());
    }

    /// One of the sources alone.
    ///
    /// @param position from 0
    public RenderedSource renderSource(
            Application application, int position, Cancellation cancellation, Phases phases, RenderSteps steps) {
        return source(application, position, cancellation, phases, steps).run();
    }

    private SourceRender source(
            Application application, int position, Cancellation cancellation, Phases phases, RenderSteps steps) {
        return new SourceRender(
                application,
                position,
                trees,
                options,
                selection,
                hosts,
                directories,
                answers,
                cancellation,
                phases,
                steps);
    }
}

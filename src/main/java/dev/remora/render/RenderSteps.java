package dev.remora.render;

import dev.remora.application.PluginEnvironment;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.RenderedObject;
import java.util.List;
import java.util.function.Supplier;

/// Is told of every step of a render as soon as it is done, on the render's own thread, so that somebody can tell how
/// far
/// a render came that fails. Whoever throws a fault ends the render there. Sources count from 0.
public interface RenderSteps {
    /// Nobody listens.
    RenderSteps NONE = new RenderSteps() {};

    /// The revision is known and its files are laid out; they stay until the source is done.
    default void laidOut(int source, SourceTree tree) {}

    /// The overrides of the source's folder are read.
    default void effective(int source, EffectiveSource effective) {}

    /// What plugins are told is known.
    default void told(int source, PluginEnvironment environment) {}

    /// The type is known.
    default void chosen(int source, SourceChoice choice) {}

    /// Whether a kept answer would do can be asked now.
    default void mayBeKept(int source, Supplier<PluginAnswers.Look> look) {}

    /// A plugin will be asked this.
    default void asking(int source, PluginHost host, RenderRequest request) {}

    /// What the command said on standard error, where it ran in this process.
    default void said(int source, String stderr) {}

    /// The answer, before Argo CD's work on it.
    default void answered(int source, List<ManifestDocument> documents) {}

    /// The objects.
    default void made(int source, List<RenderedObject> objects) {}
}

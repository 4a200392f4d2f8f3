package dev.remora.render;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.telemetry.Phases;
import java.nio.file.Path;

/// Finds out how a source is rendered, by Argo CD's rules (docs/spec/selection.md). Threads may share it.
public final class SourceTypes {
    private final PluginCatalog catalog;
    private final Hosts hosts;
    private final Breadth breadth;

    /// Makes a plugin ready to be asked.
    public interface Hosts {
        PluginHost open(KnownPlugin plugin);
    }

    /// Who is asked beyond the first plugin that says yes; it changes warnings and explanations, never the choice.
    public enum Breadth {
        /// Those that cost nothing: definitions whose rule is a pattern.
        CHEAP,
        EVERY
    }

    /// What the choice depends on.
    ///
    /// @param effective with the overrides of its folder
    /// @param root the repository's files
    /// @param folder the source's below it
    /// @param untyped what a plugin is asked with while the type is open: only the variables `ARGOCD_APP_*`
    /// @param full what it is asked with once it is known that the source is a plugin's
    public record Question(
            EffectiveSource effective, Path root, Path folder, RenderRequest untyped, RenderRequest full) {}

    public SourceTypes(PluginCatalog catalog, Hosts hosts, Breadth breadth) {
        this.catalog = catalog;
        this.hosts = hosts;
        this.breadth = breadth;
    }

    /// The source's type.
    ///
    /// @throws Fault SOURCE_TYPE, PLUGIN_ABSENT, PROJECT_REFUSED; or what kept a plugin from being asked
    public SourceChoice choose(Question question, Phases phases) {
        throw new Fault(FaultCode.INTERNAL, "not yet: " + catalog + hosts + breadth + question + phases);
    }
}

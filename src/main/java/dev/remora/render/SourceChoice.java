package dev.remora.render;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import java.util.List;
import java.util.Optional;

/// How a source is rendered, and why.
///
/// @param reason one sentence without a full stop
/// @param asked every known plugin in Argo CD's order
/// @param without what the source would be if there were no plugins, such as `Helm (Chart.yaml)`; empty where the
///     type is stated
/// @param warnings for people, one sentence each
public record SourceChoice(
        SourceType type, String reason, List<Asked> asked, Optional<String> without, List<String> warnings) {
    public SourceChoice {
        asked = List.copyOf(asked);
        warnings = List.copyOf(warnings);
    }

    /// Why this version does not render it, and what to do.
    ///
    /// @throws IllegalStateException for a type that it renders
    public Fault notYet() {
        return switch (type) {
            case SourceType.Helm _ -> notYet("Helm", "helm template");
            case SourceType.Kustomize _ -> notYet("Kustomize", "kustomize build");
            case SourceType.Plugin _, SourceType.Directory _ -> throw new IllegalStateException("rendered: " + type);
        };
    }

    private Fault notYet(String tool, String command) {
        return new Fault(
                FaultCode.SOURCE_NOT_YET,
                new Problem(
                        Optional.empty(),
                        "the source is rendered by " + tool + " (" + reason + "), which this version does not do",
                        Optional.of("run " + command + ", or state spec.source.plugin for a plugin that runs it")));
    }
}

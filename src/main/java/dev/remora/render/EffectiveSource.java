package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.application.SourceOverrides;
import java.util.List;

/// A source with what the repository itself says about it.
///
/// @param written as the Application has it
/// @param source after the override files; only its block and type differ, never where the files are
/// @param files the override files that were there, by their path in the repository, in their order
/// @param changes which file set which field
public record EffectiveSource(
        ApplicationSource written, ApplicationSource source, List<String> files, List<SourceOverrides.Change> changes) {
    public EffectiveSource {
        files = List.copyOf(files);
        changes = List.copyOf(changes);
    }

    /// A source that nothing overrides.
    public static EffectiveSource of(ApplicationSource source) {
        return new EffectiveSource(source, source, List.of(), List.of());
    }
}

package dev.remora.render;

import java.util.List;
import java.util.Optional;

/// How a source is rendered, and why.
///
/// @param reason one sentence without a full stop
/// @param asked every known plugin in Argo CD's order
/// @param without what the source would be if there were no plugins; empty where plugins have no say
/// @param warnings for people, one sentence each
public record SourceChoice(
        SourceType type, String reason, List<Asked> asked, Optional<String> without, List<String> warnings) {
    public SourceChoice {
        asked = List.copyOf(asked);
        warnings = List.copyOf(warnings);
    }
}

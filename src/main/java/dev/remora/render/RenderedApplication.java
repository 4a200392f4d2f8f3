package dev.remora.render;

import dev.remora.application.Application;
import java.util.List;

/// What an Application came to.
///
/// @param warnings for people, one sentence each
public record RenderedApplication(Application application, List<RenderedSource> sources, List<String> warnings) {
    public RenderedApplication {
        sources = List.copyOf(sources);
        warnings = List.copyOf(warnings);
    }
}

package dev.remora.render;

import dev.remora.application.Application;
import dev.remora.manifest.RenderedObject;
import java.util.List;

/// What an Application came to.
///
/// @param objects of all sources, in their order, as Argo CD hands them on
/// @param warnings for people, one sentence each
public record RenderedApplication(
        Application application, List<RenderedSource> sources, List<RenderedObject> objects, List<String> warnings) {
    public RenderedApplication {
        sources = List.copyOf(sources);
        objects = List.copyOf(objects);
        warnings = List.copyOf(warnings);
    }
}

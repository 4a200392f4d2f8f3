package dev.remora.cli;

import dev.remora.manifest.RenderedObject;
import java.util.List;

/// `--show-only KIND[/NAME]`, several: the objects that people want to see. Kinds match without regard to case.
record ShowOnly(List<String> wanted) {
    ShowOnly {
        wanted = List.copyOf(wanted);
    }

    List<RenderedObject> of(List<RenderedObject> objects) {
        return objects;
    }
}

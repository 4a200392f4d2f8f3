package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.manifest.RenderedObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `--output-dir`: the objects of many Applications as files, and `index.json` that tells of them. For several threads.
final class OutputFolder {
    /// One file for each object, or for each Application.
    enum Layout {
        OBJECTS,
        APPLICATIONS
    }

    /// What `index.json` tells of an Application beside its files.
    ///
    /// @param revisions by source
    /// @param dirty whether uncommitted changes were rendered
    record Told(
            List<String> plugins,
            List<String> revisions,
            boolean dirty,
            Duration took,
            Map<String, Duration> timings,
            Optional<Duration> cachedFor,
            List<String> warnings) {}

    /// @param applications their names as Argo CD calls them, in the order of the run; each gets its own folder
    /// @param all whether these are all Applications that there are: then the files of others are removed
    static OutputFolder open(Path folder, Layout layout, boolean mask, List<String> applications, boolean all) {
        return new OutputFolder();
    }

    /// Writes one Application's objects.
    ///
    /// @param application its place among the names given to [#open]
    void write(int application, List<RenderedObject> objects, Told told) {}

    /// Notes a failure; the files of an earlier run stay.
    void failed(int application, Fault fault) {}

    /// Removes what an earlier run wrote and this one did not, and writes `index.json`.
    void finish() {}
}

package dev.remora.render;

import dev.remora.archive.ArchiveLimits;
import dev.remora.archive.EntryFilter;
import dev.remora.process.Cancellation;

/// The files of a source, known by Git's object ids: what a folder holds need not be read to tell whether it is what
/// another one held.
public final class SentTree {
    private final String repository;
    private final SourceTree tree;
    private final SentFiles files;
    private final Cancellation cancellation;

    SentTree(String repository, SourceTree tree, SentFiles files, Cancellation cancellation) {
        this.repository = repository;
        this.tree = tree;
        this.files = files;
        this.cancellation = cancellation;
    }

    /// The repository's URL; files never pass from one to another.
    String repository() {
        return repository;
    }

    /// Whether an archive of the whole would be within the limits for certain, so that a part need not be counted
    /// against them.
    boolean fits(ArchiveLimits limits) {
        return files.fits(tree, limits, cancellation);
    }

    /// Equal for requests that are sent equal files.
    ///
    /// @param narrowed the request as generation gets it, or a whole one
    /// @param inputs what is let through of that
    String digest(RenderRequest narrowed, EntryFilter inputs) {
        return files.digest(tree, narrowed, inputs, cancellation);
    }
}

package dev.remora.git;

import dev.remora.posix.Bytes;
import java.util.List;
import java.util.Optional;

/// What laying out a tree gave.
///
/// @param files how many files, links and submodules the tree has
/// @param bytes their sizes together
/// @param linkOutside the first link that leaves the repository, which Argo CD refuses to render
/// @param pointers large files that are there only as pointers of Git LFS
/// @param warnings for people, one sentence each
public record LaidOut(int files, long bytes, Optional<Bytes> linkOutside, List<Bytes> pointers, List<String> warnings) {
    public LaidOut {
        pointers = List.copyOf(pointers);
        warnings = List.copyOf(warnings);
    }
}

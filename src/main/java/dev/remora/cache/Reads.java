package dev.remora.cache;

import dev.remora.posix.Bytes;
import java.util.List;
import java.util.SortedSet;

/// Which entries of a tree commands opened. All paths are relative to its root.
///
/// @param files opened
/// @param folders opened, which hardly anybody does but to list them
/// @param links that lead to something opened; whether the way went through them is not known
/// @param all every file of the tree, and
/// @param allFolders every folder, before the commands ran
/// @param gaps what may be missing, as sentences; empty: nothing that could be noticed
public record Reads(
        SortedSet<Bytes> files,
        SortedSet<Bytes> folders,
        SortedSet<Bytes> links,
        SortedSet<Bytes> all,
        SortedSet<Bytes> allFolders,
        List<String> gaps) {
    public Reads {
        gaps = List.copyOf(gaps);
    }
}

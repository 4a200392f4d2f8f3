package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.util.Optional;
import java.util.Set;

/// Which entries of a folder are packed. Paths are relative to the folder, `.` for the folder itself.
@FunctionalInterface
public interface PackSelection {
    /// Whether the entry is left out; a directory is left out with all below it.
    boolean leavesOut(Bytes path);

    /// Whether the entry is packed only as a step on the way to something else, if it is a directory or a link.
    default boolean isOnlyStep(Bytes path) {
        return false;
    }

    /// The only names in a directory that may be packed, whether they exist or not; empty: any may.
    ///
    /// @param folder empty for the folder itself
    default Optional<Set<Bytes>> onlyNames(Bytes folder) {
        return Optional.empty();
    }
}

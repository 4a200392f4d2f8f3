package dev.remora.glob;

import dev.remora.posix.Bytes;

/// The folder in front of a pattern's first wildcard, with a slash behind it.
record FixedFolder(Bytes path) {
    /// Whether a walk towards this folder goes past `folder`.
    boolean passesBy(Bytes folder) {
        return folder.length() < path.length() && !path.startsWith(folder.plus(CleanPath.ROOT));
    }
}

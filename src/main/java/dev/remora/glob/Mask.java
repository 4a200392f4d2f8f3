package dev.remora.glob;

import dev.remora.posix.Bytes;

/// A zglob pattern as a test for whole paths, fed piece by piece.
interface Mask {
    /// Before the first byte.
    State start();

    /// Whether zglob does not enter this folder, which does not match, because the fixed beginning of the pattern
    /// leads elsewhere.
    boolean passesBy(Bytes folder);

    /// How the last name of every match ends; may be empty.
    Bytes nameEnding();

    /// How far the test has come. Immutable.
    interface State {
        /// Behind `piece`, which ends with a whole character.
        State after(byte[] piece);

        /// Whether what was fed is a match.
        boolean accepts();

        /// Whether no longer path can match either.
        boolean dead();
    }
}

package dev.remora.glob;

import dev.remora.posix.Bytes;

/// What came of a pattern on a tree.
public sealed interface GlobResult {
    /// At least one entry matches; `first` is one of them.
    record Matched(Bytes first) implements GlobResult {}

    record Unmatched() implements GlobResult {}

    /// The pattern is malformed, or the walk failed, in the words of the Go library.
    record Failed(String reason) implements GlobResult {}

    /// zglob only: the path without wildcards, or the folder before the first wildcard, is absent. Argo CD takes this
    /// for a failure, with these words.
    record Absent(String reason) implements GlobResult {}
}

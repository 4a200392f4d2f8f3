package dev.remora.archive;

import java.util.Optional;

/// What an archive held.
///
/// @param compressed bytes received
/// @param unpacked bytes of regular files
/// @param dropped entries of types that are not unpacked
/// @param firstDropped the first of them, as `name (type)`
/// @param skipped what `remora.inputs` left out; counted by the other numbers all the same
public record ArchiveReport(
        long compressed,
        long unpacked,
        long files,
        long directories,
        long links,
        long dropped,
        Optional<String> firstDropped,
        SkippedNames skipped) {}

package dev.remora.archive;

import java.util.Optional;

/// What an archive held.
///
/// @param compressed bytes received
/// @param unpacked bytes of regular files
/// @param dropped entries of types that are not unpacked
/// @param firstDropped the first of them, as `name (type)`
public record ArchiveReport(
        long compressed,
        long unpacked,
        long files,
        long directories,
        long links,
        long dropped,
        Optional<String> firstDropped) {}

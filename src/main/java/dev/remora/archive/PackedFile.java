package dev.remora.archive;

import dev.remora.posix.Bytes;

/// A regular file of an archive.
///
/// @param path relative to the archive's root
/// @param size in bytes, uncompressed
public record PackedFile(Bytes path, long size) {}

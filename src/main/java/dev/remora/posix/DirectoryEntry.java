package dev.remora.posix;

/// A name in a directory, and what it stands for as far as the directory knows.
public record DirectoryEntry(Bytes name, FileType type) {}

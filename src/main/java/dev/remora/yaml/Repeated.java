package dev.remora.yaml;

/// A key that a mapping has twice. The later one holds, as in Argo CD, which says nothing.
///
/// @param line of the later one
/// @param firstLine of the one that is lost
public record Repeated(String key, int line, int column, int firstLine) {}

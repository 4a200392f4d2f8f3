package dev.remora.telemetry;

/// The tree that a call worked in.
///
/// @param kind `same`, `changed` or `fresh`
/// @param filesWritten files that unpacking wrote
/// @param bytesSaved bytes of files that were there already
public record TreeMeasure(String kind, long filesWritten, long bytesSaved) {}

package dev.remora.telemetry;

/// One "which" of a log line.
///
/// @param value text, number, truth value, or a map from text to these; anything else is shown by its `toString`
public record LogField(LogKey key, Object value) {}

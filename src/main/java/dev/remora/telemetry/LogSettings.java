package dev.remora.telemetry;

import java.util.Optional;

/// How log lines look. See `docs/spec/wire.md`, "Logs".
///
/// @param timestampLayout Go's layout of a time (`ARGOCD_LOG_FORMAT_TIMESTAMP`); RFC 3339 in seconds when absent
/// @param colors text lines as for a terminal (`FORCE_LOG_COLORS=1`)
/// @param fullTimestamp on coloured lines the time instead of the seconds since start
///     (`ARGOCD_LOG_FORMAT_ENABLE_FULL_TIMESTAMP=1`)
public record LogSettings(
        LogFormat format, LogLevel level, Optional<String> timestampLayout, boolean colors, boolean fullTimestamp) {
    public static final LogSettings DEFAULT =
            new LogSettings(LogFormat.JSON, LogLevel.INFO, Optional.empty(), false, false);
}

package dev.remora.process;

import java.time.Duration;

/// The server's own limits for each command.
///
/// @param timeout `ARGOCD_EXEC_TIMEOUT`
/// @param fatal `ARGOCD_EXEC_FATAL_TIMEOUT`: from TERM to KILL
/// @param honoured false where Argo CD's way was asked for: its server ignores both
public record ExecTimeouts(Duration timeout, Duration fatal, boolean honoured) {
    public static final ExecTimeouts DEFAULT = new ExecTimeouts(Duration.ofSeconds(90), Duration.ofSeconds(10), true);
}

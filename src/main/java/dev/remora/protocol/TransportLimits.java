package dev.remora.protocol;

import java.time.Duration;

/// What a server accepts on its socket.
///
/// @param messageBytes largest message in both directions (`ARGOCD_GRPC_MAX_SIZE_MB`)
/// @param keepAlive pings this often are accepted (`ARGOCD_GRPC_KEEP_ALIVE_MIN`), with and without running calls
public record TransportLimits(int messageBytes, Duration keepAlive) {
    public static final int DEFAULT_MESSAGE_BYTES = 100 * 1024 * 1024;
    public static final TransportLimits DEFAULT = new TransportLimits(DEFAULT_MESSAGE_BYTES, Duration.ofSeconds(10));
}

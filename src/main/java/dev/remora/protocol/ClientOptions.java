package dev.remora.protocol;

import java.time.Duration;
import java.util.Optional;

/// How a `PluginClient` talks.
///
/// @param chunkBytes archive bytes per message; Argo CD's client sends 1 KiB, which costs a hundred thousand messages
///     for a large repository
/// @param deadline for each call, from its start
/// @param connect longest wait for a connection; a socket that accepts and never greets must not hang us
/// @param keepAlive time between pings
public record ClientOptions(
        int chunkBytes,
        int messageBytes,
        Optional<Duration> deadline,
        Duration connect,
        Duration keepAlive,
        boolean keepAliveWithoutCalls,
        boolean gzip) {
    public static final ClientOptions DEFAULT = new ClientOptions(
            64 * 1024,
            TransportLimits.DEFAULT_MESSAGE_BYTES,
            Optional.empty(),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            false,
            false);

    public ClientOptions withDeadline(Duration time) {
        return new ClientOptions(
                chunkBytes, messageBytes, Optional.of(time), connect, keepAlive, keepAliveWithoutCalls, gzip);
    }

    public ClientOptions withChunkBytes(int bytes) {
        return new ClientOptions(bytes, messageBytes, deadline, connect, keepAlive, keepAliveWithoutCalls, gzip);
    }

    public ClientOptions withMessageBytes(int bytes) {
        return new ClientOptions(chunkBytes, bytes, deadline, connect, keepAlive, keepAliveWithoutCalls, gzip);
    }

    /// Pings this often, also while no call runs when `withoutCalls`.
    public ClientOptions withKeepAlive(Duration time, boolean withoutCalls) {
        return new ClientOptions(chunkBytes, messageBytes, deadline, connect, time, withoutCalls, gzip);
    }

    /// Compresses each message, as few clients do.
    public ClientOptions withGzip() {
        return new ClientOptions(chunkBytes, messageBytes, deadline, connect, keepAlive, keepAliveWithoutCalls, true);
    }
}

package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/// A `struct sockaddr` as a program gave it, for people.
final class SocketAddress {
    private static final int FAMILY_BYTES = 2;
    private static final int PORT_BYTES = 2;
    private static final int V4_BYTES = 4;
    private static final int V6_BYTES = 16;
    private static final int V6_OFFSET = 8;
    private static final int BYTE = 8;
    private static final int MASK = 0xff;

    private SocketAddress() {}

    static boolean isUnix(Bytes address) {
        return family(address) == Access.Socket.UNIX;
    }

    /// The path of a Unix socket that has one.
    static Optional<Bytes> path(Bytes address) {
        if (!isUnix(address) || address.length() == FAMILY_BYTES || address.at(FAMILY_BYTES) == 0) {
            return Optional.empty();
        }
        int nul = address.indexOf((byte) 0, FAMILY_BYTES);
        return Optional.of(address.slice(FAMILY_BYTES, nul < 0 ? address.length() : nul));
    }

    /// `10.0.0.1:443`, `[::1]:53`, `/run/x.sock`, `@abstract`; empty for families that we have no words for.
    static Optional<String> text(Bytes address) {
        return switch (family(address)) {
            case Access.Socket.UNIX -> Optional.of(unix(address));
            case Access.Socket.INET ->
                host(address, FAMILY_BYTES + PORT_BYTES, V4_BYTES).map(host -> host + ":" + port(address));
            case Access.Socket.INET6 ->
                host(address, V6_OFFSET, V6_BYTES).map(host -> "[" + host + "]:" + port(address));
            default -> Optional.empty();
        };
    }

    private static String unix(Bytes address) {
        return path(address)
                .map(Bytes::toString)
                .orElseGet(() -> "@" + address.slice(Math.min(FAMILY_BYTES + 1, address.length()), address.length()));
    }

    private static int family(Bytes address) {
        return (address.at(0) & MASK) | (address.at(1) & MASK) << BYTE;
    }

    private static int port(Bytes address) {
        return (address.at(FAMILY_BYTES) & MASK) << BYTE | (address.at(FAMILY_BYTES + 1) & MASK);
    }

    private static Optional<String> host(Bytes address, int offset, int length) {
        if (address.length() < offset + length) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByAddress(
                            address.slice(offset, offset + length).toArray())
                    .getHostAddress());
        } catch (UnknownHostException wrongLength) {
            return Optional.empty();
        }
    }
}

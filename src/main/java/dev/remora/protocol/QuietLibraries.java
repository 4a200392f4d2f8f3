package dev.remora.protocol;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Keeps gRPC and Netty from writing to standard error in a form of their own. What they report (a peer that went
/// away, an option that a Unix socket does not have) reaches us as the failure of a call, or means nothing.
final class QuietLibraries {
    // Held here: a logger that nobody holds may be collected, and its level with it.
    private static final List<Logger> LOGGERS = List.of(Logger.getLogger("io.grpc"), Logger.getLogger("io.netty"));

    private QuietLibraries() {}

    static void hush() {
        LOGGERS.forEach(logger -> logger.setLevel(Level.OFF));
    }
}

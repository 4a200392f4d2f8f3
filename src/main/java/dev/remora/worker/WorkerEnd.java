package dev.remora.worker;

import java.util.Locale;

/// Why a worker ended; the next call that wants one starts another.
enum WorkerEnd {
    /// It could not be started.
    START,
    /// It ended or was killed, by whomever, without being told to.
    CRASH,
    /// It said what is not the protocol.
    PROTOCOL,
    /// It made its own folder unusable.
    UNFIT,
    /// A request was ended by a limit or its caller, and it did not say that it had given up.
    STOPPED,
    /// It had answered as many requests as it may.
    REQUESTS,
    /// Nobody asked for so long.
    IDLE,
    /// It held more memory than it may.
    MEMORY,
    /// Another one was wanted, and it was the one unused for the longest time.
    ROOM,
    /// Its definition is served no more.
    CHANGED,
    /// The server stops.
    SERVER;

    /// As logs and figures say it.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether somebody should look.
    boolean bad() {
        return switch (this) {
            case START, CRASH, PROTOCOL, UNFIT -> true;
            case STOPPED, REQUESTS, IDLE, MEMORY, ROOM, CHANGED, SERVER -> false;
        };
    }
}

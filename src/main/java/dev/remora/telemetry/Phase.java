package dev.remora.telemetry;

/// The parts that a call's time goes to, in the order in which they come.
public enum Phase {
    /// Resolving a revision, fetching it and laying it out (repository side only).
    FETCH,
    /// Packing a folder for a server (folder commands only).
    PACK,
    /// Waiting for a place under `limits.parallel`.
    QUEUE,
    /// Waiting for the caller's bytes.
    RECEIVE,
    /// Hashing, inflating and writing them.
    UNPACK,
    /// Judging the discover rules, a find command included.
    DISCOVER,
    INIT,
    GENERATE,
    PARAMETERS,
    /// Splitting and checking the output.
    CHECK;

    /// As messages, logs and metrics say it.
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

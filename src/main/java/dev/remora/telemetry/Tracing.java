package dev.remora.telemetry;

/// Where spans go. Nowhere unless an address is configured: only then the exporter's classes are loaded.
public interface Tracing extends AutoCloseable {
    Tracing NONE = call -> {};

    void finished(CallTrace call);

    /// Sends what waits, for a moment.
    @Override
    default void close() {}
}

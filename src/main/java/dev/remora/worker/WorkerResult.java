package dev.remora.worker;

import dev.remora.process.Outcome;

/// What came of a request to a worker.
public sealed interface WorkerResult {
    /// It ran, and ended as a command does.
    record Ran(Outcome outcome) implements WorkerResult {}

    /// It failed as a worker: the command itself must be run.
    ///
    /// @param reason in one word, for figures
    record Failed(String reason, String how) implements WorkerResult {}
}

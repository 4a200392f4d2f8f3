package dev.remora.manifest;

import java.util.List;

/// Refuses output that would do harm: nothing, no objects, cipher text, forbidden text.
public final class OutputGuard {
    private final OutputRules rules;

    /// A pattern that is not RE2 is a fault of the configuration.
    public OutputGuard(OutputRules rules) {
        this.rules = rules;
    }

    /// Refuses an answer without any document; `stderr` is what the command said beside it.
    public void checkNotEmpty(List<ManifestDocument> documents, String stderr, long stderrBytes) {
        throw new UnsupportedOperationException(rules + stderr + stderrBytes + documents);
    }

    /// Checks documents that were split without this guard.
    public void check(List<ManifestDocument> documents) {
        throw new UnsupportedOperationException(rules + documents.toString());
    }
}

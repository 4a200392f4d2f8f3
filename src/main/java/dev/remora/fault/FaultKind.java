package dev.remora.fault;

/// Who can mend a fault. The kind decides the exit code of a command and the label in metrics;
/// the gRPC status follows from it in the server's one table.
public enum FaultKind {
    /// The content is wrong: a manifest, a plugin definition, an archive.
    USER(3),
    /// A limit of time, bytes or count fired.
    LIMIT(4),
    /// Something outside is missing or refused: a tool, a login, the network, the kernel.
    ENVIRONMENT(5),
    /// Ours.
    BUG(70);

    private final int exitCode;

    FaultKind(int exitCode) {
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}

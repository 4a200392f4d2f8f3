package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;

/// What the exit codes mean, the same for every command.
final class ExitCode {
    static final int DONE = 0;
    /// The question was answered with "yes, something": never an error.
    static final int FOUND = 1;
    /// Flag or argument.
    static final int USAGE = 2;
    /// `serve` could not start, as Argo CD's server ends then.
    static final int SERVE_START = 20;
    /// `serve` with a log format that does not exist, as Argo CD's server ends then.
    static final int SERVE_LOG_FORMAT = 1;

    private ExitCode() {}

    static int of(Fault fault) {
        return fault.code() == FaultCode.USAGE ? USAGE : fault.kind().exitCode();
    }
}

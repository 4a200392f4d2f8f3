package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.telemetry.Log;

/// The plugin server: one socket for each definition, in one process.
///
/// Who starts it also catches SIGTERM and SIGINT and calls `stop` from there, then ends with exit code 0 once
/// `awaitStopped` returned.
public final class SidecarServer implements AutoCloseable {
    private SidecarServer() {}

    /// Reads the definitions, opens the sockets and serves. A fault means that nothing was left behind; the command
    /// then ends with exit code 20.
    public static SidecarServer start(ServeOptions options, Log log) {
        throw new Fault(FaultCode.SERVE_START, "not built yet: " + options.configDir() + log);
    }

    /// Begins an orderly stop and returns at once: no new calls, running ones finish within the grace, then they are
    /// cancelled with `reason`; sockets are removed.
    public void stop(String reason) {}

    /// Waits for the end of a stop, however long until one is asked for.
    public void awaitStopped() throws InterruptedException {}

    @Override
    public void close() {
        stop("closed");
    }
}

package dev.remora.process;

/// Starts the commands of all renders; one per server or per run of a command-line tool.
public final class CommandRunner implements AutoCloseable {
    private final ProcessSettings settings;

    private CommandRunner(ProcessSettings settings) {
        this.settings = settings;
    }

    /// Chooses what this system can do.
    public static CommandRunner open(ProcessSettings settings) {
        return new CommandRunner(settings);
    }

    /// A tree for one render.
    ///
    /// @param marker names the render in thread names and logs
    public ProcessTree open(String marker, CommandLimits limits) {
        throw new UnsupportedOperationException(marker + limits + settings);
    }

    /// Whether nothing that a render starts can outlive it. False where the system is not Linux.
    public boolean contained() {
        return false;
    }

    /// For the log at start: how processes are contained, and who reaps.
    public String describe() {
        return "";
    }

    @Override
    public void close() {}
}

package dev.remora.process;

/// Starts the commands of all renders; one per server or per run of a command-line tool.
public final class CommandRunner implements AutoCloseable {
    private final ProcessHost host;

    private CommandRunner(ProcessHost host) {
        this.host = host;
    }

    /// Chooses what this system can do; [#contained] and [#describe] tell what was chosen.
    public static CommandRunner open(ProcessSettings settings) {
        return new CommandRunner(
                settings.containment() == ProcessSettings.Containment.NONE
                                || LinuxHost.unsupported().isPresent()
                        ? new PlainHost(settings)
                        : new LinuxHost(settings));
    }

    /// A tree for one render.
    ///
    /// @param marker names the render in thread names
    public ProcessTree open(String marker, CommandLimits limits) {
        return host.open(marker, limits);
    }

    /// Whether nothing that a render starts can outlive it. False where the system is not Linux with glibc 2.34.
    public boolean contained() {
        return host.contained();
    }

    /// For the log at start: how processes are contained, and who reaps.
    public String describe() {
        return host.describe();
    }

    /// Ends what renders left to end in the background. Trees must be closed before.
    @Override
    public void close() {
        host.close();
    }
}

package dev.remora.posix;

/// How a process ended, as `waitpid` tells.
public record WaitStatus(int raw) {
    private static final int SIGNAL = 0x7f;
    private static final int CORE = 0x80;

    /// Whether it ended by itself; else a signal ended it.
    public boolean exited() {
        return (raw & SIGNAL) == 0;
    }

    public int exitStatus() {
        return raw >> 8 & 0xff;
    }

    public int signal() {
        return raw & SIGNAL;
    }

    public boolean coreDumped() {
        return (raw & CORE) != 0;
    }
}

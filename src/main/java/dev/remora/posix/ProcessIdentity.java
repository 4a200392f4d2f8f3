package dev.remora.posix;

/// Who we are for the kernel.
public final class ProcessIdentity {
    private ProcessIdentity() {}

    /// The effective user id.
    public static int user() {
        try (Libc libc = Libc.open()) {
            return (int) libc.call(CFunction.GETEUID);
        }
    }
}

package dev.remora.posix;

import java.util.Optional;

/// Whatever a path led to when it was opened: held, so that nobody can put another in its place, but neither readable
/// nor writable.
public final class PinnedFile implements AutoCloseable {
    private static final int MOST_PATH = 4096;

    private final int descriptor;

    private PinnedFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /// What `path` leads to now.
    ///
    /// @param follow whether a link as the last name is followed
    public static PinnedFile open(Bytes path, boolean follow) throws ErrnoException {
        int flags = OpenFlags.PATH_ONLY | OpenFlags.CLOSE_ON_EXEC | (follow ? 0 : OpenFlags.NO_FOLLOW);
        return new PinnedFile(Calls.openAt(OpenFlags.AT_CWD, path, flags, 0));
    }

    /// Where it lies, without links; with ` (deleted)` behind if it no longer does.
    public Bytes realPath() throws ErrnoException {
        return Calls.readLink(OpenFlags.AT_CWD, name(), MOST_PATH);
    }

    public FileStatus status() throws ErrnoException {
        return Calls.status(descriptor, Bytes.EMPTY, OpenFlags.AT_EMPTY_PATH);
    }

    /// Whether it belongs to the user that we are.
    public boolean isOurs() throws ErrnoException {
        try (Libc libc = Libc.open()) {
            return status().owner() == (int) libc.call(CFunction.GETEUID);
        }
    }

    public void changeMode(int mode) throws ErrnoException {
        Calls.changeMode(name(), mode);
    }

    /// Sets the times of access and change.
    ///
    /// @param times two `struct timespec` as the kernel reads them, or nothing: now
    public void changeTimes(Optional<Bytes> times) throws ErrnoException {
        Calls.changeTimes(descriptor, times);
    }

    private Bytes name() {
        return Bytes.utf8("/proc/self/fd/" + descriptor);
    }

    @Override
    public void close() {
        Descriptors.close(descriptor);
    }
}

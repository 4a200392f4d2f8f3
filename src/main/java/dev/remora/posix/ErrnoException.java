package dev.remora.posix;

import java.io.IOException;

/// A call of the C library failed; the errno says why.
public final class ErrnoException extends IOException {
    private static final long serialVersionUID = 1;

    private final int errno;

    /// @param operation what was tried on what, such as `mkdir a/b`
    public ErrnoException(int errno, String operation) {
        super(operation + ": " + Errno.text(errno));
        this.errno = errno;
    }

    public int errno() {
        return errno;
    }

    /// The bare reason, `no such file or directory`.
    public String reason() {
        return Errno.text(errno);
    }

    /// Whether bytes, inodes or a quota are used up.
    public boolean isFull() {
        return errno == Errno.ENOSPC || errno == Errno.EDQUOT;
    }
}

package dev.remora.posix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/// Asks for the statuses of thousands of names, with one piece of memory for all of them. For the thread that opened
/// it.
public final class StatusReader implements AutoCloseable {
    private static final int PATH_MAX = 4096;

    private final Libc libc = Libc.open();
    private final MemorySegment status = libc.buffer(FileStatus.STRUCT_SIZE);
    private final MemorySegment path = libc.buffer(PATH_MAX);

    /// As [Directory#find]. A path of several names goes through links, if there are any but at its end.
    public Optional<FileStatus> find(Directory directory, Bytes name) throws ErrnoException {
        if (name.length() >= PATH_MAX) {
            throw new ErrnoException(Errno.ENAMETOOLONG, "lstat " + name);
        }
        byte[] bytes = name.unsafeArray();
        MemorySegment.copy(bytes, 0, path, ValueLayout.JAVA_BYTE, 0, bytes.length);
        path.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
        long result = libc.call(
                CFunction.STATX,
                directory.descriptor(),
                path.address(),
                OpenFlags.AT_SYMLINK_NOFOLLOW,
                FileStatus.BASIC_STATS,
                status.address());
        if (result == -Errno.ENOENT) {
            return Optional.empty();
        }
        if (result < 0) {
            throw new ErrnoException((int) -result, "lstat " + name);
        }
        return Optional.of(FileStatus.of(status));
    }

    @Override
    public void close() {
        libc.close();
    }
}

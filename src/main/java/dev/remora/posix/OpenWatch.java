package dev.remora.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/// The kernel's notice of every file and folder that is opened in watched folders, by whomever (`inotify(7)`). Needs no
/// privilege. For one thread at a time.
public final class OpenWatch implements AutoCloseable {
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int NON_BLOCKING = 0x800;

    private static final int OPENED = 0x20;
    private static final int LOST = 0x4000;
    private static final int IGNORED = 0x8000;
    private static final int ONLY_FOLDER = 0x0100_0000;
    private static final int DONT_FOLLOW = 0x0200_0000;
    private static final int IS_FOLDER = 0x4000_0000;

    /// Some thousand events, so that a burst is taken in few calls.
    private static final int BUFFER = 64 << 10;

    private static final int MASK = 4;
    private static final int LENGTH = 12;
    private static final int NAME = 16;

    private final int descriptor;
    private boolean open = true;

    private OpenWatch(int descriptor) {
        this.descriptor = descriptor;
    }

    /// Watches nothing yet.
    ///
    /// @throws ErrnoException EMFILE when this user has too many already (`fs.inotify.max_user_instances`)
    public static OpenWatch open() throws ErrnoException {
        try (Libc libc = Libc.open()) {
            long result = libc.call(CFunction.INOTIFY_INIT1, CLOSE_ON_EXEC | NON_BLOCKING);
            return new OpenWatch((int) checked(result, "inotify_init"));
        }
    }

    /// Watches a folder, not what lies in its folders.
    ///
    /// @return the folder's number in notices
    /// @throws ErrnoException ENOSPC when this user watches too many already (`fs.inotify.max_user_watches`);
    ///     EACCES when we may not read it
    public int add(Bytes folder) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            int mask = OPENED | ONLY_FOLDER | DONT_FOLLOW;
            return (int) checked(
                    libc.call(CFunction.INOTIFY_ADD_WATCH, descriptor, libc.string(folder), mask),
                    "inotify_add_watch " + folder);
        }
    }

    /// Readable when notices wait.
    public int descriptor() {
        return descriptor;
    }

    /// What was opened.
    @FunctionalInterface
    public interface Notice {
        /// Called for each opening.
        ///
        /// @param folder the watched folder's number
        /// @param name what was opened in it; empty: itself
        void opened(int folder, Bytes name, boolean isFolder);

        /// A watched folder was removed; its number will not come again.
        default void gone(int folder) {}
    }

    /// Tells all notices that wait, without waiting for more.
    ///
    /// @return false when the kernel had to drop some
    public boolean take(Notice notice) throws ErrnoException {
        boolean whole = true;
        try (Libc libc = Libc.open()) {
            MemorySegment buffer = libc.buffer(BUFFER);
            while (true) {
                long filled = libc.call(CFunction.READ, descriptor, buffer.address(), BUFFER);
                if (filled == -Errno.EAGAIN) {
                    return whole;
                }
                if (filled != -Errno.EINTR) {
                    whole = tell(buffer, checked(filled, "read"), notice) && whole;
                }
            }
        }
    }

    private static boolean tell(MemorySegment buffer, long filled, Notice notice) {
        boolean whole = true;
        long at = 0;
        while (at < filled) {
            int mask = buffer.get(JAVA_INT, at + MASK);
            int length = buffer.get(JAVA_INT, at + LENGTH);
            if ((mask & LOST) != 0) {
                whole = false;
            } else if ((mask & IGNORED) != 0) {
                notice.gone(buffer.get(JAVA_INT, at));
            } else if ((mask & OPENED) != 0) {
                Bytes name = name(buffer, at + NAME, length);
                notice.opened(buffer.get(JAVA_INT, at), name, (mask & IS_FOLDER) != 0);
            }
            at += NAME + length;
        }
        return whole;
    }

    private static Bytes name(MemorySegment buffer, long from, int most) {
        int length = 0;
        while (length < most && buffer.get(JAVA_BYTE, from + length) != 0) {
            length++;
        }
        return Libc.bytes(buffer, from, length);
    }

    private static long checked(long result, String operation) throws ErrnoException {
        if (result < 0) {
            throw new ErrnoException((int) -result, operation);
        }
        return result;
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            Calls.close(descriptor);
        }
    }
}

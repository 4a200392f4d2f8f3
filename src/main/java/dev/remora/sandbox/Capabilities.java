package dev.remora.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.remora.posix.CFunction;
import dev.remora.posix.Errno;
import dev.remora.posix.Libc;
import java.lang.foreign.MemorySegment;

/// The calling thread's capabilities, all of them, given up for good: by the sets it has, by the bound on what a
/// program could give it, and by the rule that user 0 has all. A user without any keeps what it has, which is none.
///
/// Source: capabilities(7).
final class Capabilities {
    private static final long PR_CAPBSET_DROP = 24;
    private static final long PR_SET_SECUREBITS = 28;
    private static final long PR_CAP_AMBIENT = 47;
    private static final long PR_CAP_AMBIENT_CLEAR_ALL = 4;

    /// `NOROOT`, `NO_SETUID_FIXUP`, `NO_CAP_AMBIENT_RAISE`, and the locks of these and of `KEEP_CAPS`.
    private static final long SECURE_BITS = 0b1110_1111;

    private static final int MOST_CAPABILITIES = 64;
    private static final int VERSION_3 = 0x20080522;
    private static final long HEADER_BYTES = 8;
    private static final long SETS_BYTES = 24;
    private static final int WORDS = 6;

    private Capabilities() {}

    /// Capabilities are the thread's alone: the rest of the process keeps its own.
    static void drop(Libc libc) {
        boolean mayBound = true;
        for (int each = 0; mayBound && each < MOST_CAPABILITIES; each++) {
            mayBound = libc.call(CFunction.PRCTL, PR_CAPBSET_DROP, each) == 0; // EINVAL behind the last one
        }
        long locked = libc.call(CFunction.PRCTL, PR_SET_SECUREBITS, SECURE_BITS);
        if (locked < 0 && locked != -Errno.EPERM) {
            KernelAnswer.checked(locked, "prctl(PR_SET_SECUREBITS)");
        }
        long _ = libc.call(CFunction.PRCTL, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL);
        MemorySegment none = libc.allocate(SETS_BYTES);
        KernelAnswer.checked(
                libc.call(CFunction.SYSCALL, Syscall.CAPSET.number(), header(libc), none.address()), "capset");
    }

    /// Whether the calling thread has none, and none that it could take.
    static boolean areGone(Libc libc) {
        MemorySegment sets = libc.allocate(SETS_BYTES);
        if (libc.call(CFunction.SYSCALL, Syscall.CAPGET.number(), header(libc), sets.address()) < 0) {
            return false;
        }
        for (int i = 0; i < WORDS; i++) {
            if (sets.getAtIndex(JAVA_INT, i) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Of the calling thread: number 0.
    private static long header(Libc libc) {
        MemorySegment header = libc.allocate(HEADER_BYTES);
        header.set(JAVA_INT, 0, VERSION_3);
        return header.address();
    }
}

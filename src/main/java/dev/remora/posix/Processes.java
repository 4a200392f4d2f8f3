package dev.remora.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Calls about processes by number. A number is safe only while its process is our unreaped child: the kernel gives
/// the numbers of reaped ones to others.
public final class Processes {
    public static final int RLIMIT_CPU = 0;
    public static final int RLIMIT_FSIZE = 1;
    public static final int RLIMIT_DATA = 2;
    public static final int RLIMIT_NPROC = 6;
    public static final int RLIMIT_NOFILE = 7;

    /// To the calls about limits: the calling process.
    public static final int OURSELVES = 0;

    /// To `kill`: every process that the caller may signal, but itself and process 1.
    public static final int EVERYONE = -1;

    private static final int NO_HANG = 1;
    private static final int SET_DUMPABLE = 4;
    private static final int SET_CHILD_SUBREAPER = 36;
    private static final int SET_NO_NEW_PRIVS = 38;
    private static final int PRIO_PROCESS = 0;

    private Processes() {}

    /// Zero, or a negated errno.
    public static long kill(int pid, int signal) {
        try (Libc libc = Libc.open()) {
            return libc.call(CFunction.KILL, pid, signal);
        }
    }

    /// Takes the status of our child if it has ended; the number is free from then on.
    public static Optional<WaitStatus> reap(int pid) {
        if (pid <= 0) {
            throw new IllegalArgumentException("only one process at a time is reaped, by its number");
        }
        try (Libc libc = Libc.open()) {
            MemorySegment status = libc.allocate(JAVA_INT.byteSize());
            long reaped = libc.call(CFunction.WAITPID, pid, status.address(), NO_HANG);
            return reaped == pid ? Optional.of(new WaitStatus(status.get(JAVA_INT, 0))) : Optional.empty();
        }
    }

    /// From now on orphaned descendants become our children instead of those of process 1.
    public static void becomeSubreaper() {
        try (Libc libc = Libc.open()) {
            long _ = libc.call(CFunction.PRCTL, SET_CHILD_SUBREAPER, 1);
        }
    }

    /// From now on no other process of the user reads this process's memory, variables and descriptors in `/proc`, nor
    /// traces it. What it starts is not concerned.
    public static void hideMemory() {
        try (Libc libc = Libc.open()) {
            long _ = libc.call(CFunction.PRCTL, SET_DUMPABLE, 0);
        }
    }

    /// The calling thread, and what it starts, never gains rights by running a set-user-id program.
    public static long refuseNewPrivileges() {
        try (Libc libc = Libc.open()) {
            return libc.call(CFunction.PRCTL, SET_NO_NEW_PRIVS, 1);
        }
    }

    /// Sets a limit of a process: `soft`, which a signal or an error tells of, and `hard`. Neither is set above the
    /// hard limit that it has.
    public static long limit(int pid, int resource, long soft, long hard) {
        try (Libc libc = Libc.open()) {
            MemorySegment limit = libc.allocate(2 * JAVA_LONG.byteSize());
            long error = libc.call(CFunction.PRLIMIT, pid, resource, 0, limit.address());
            if (error < 0) {
                return error;
            }
            long most = limit.get(JAVA_LONG, JAVA_LONG.byteSize());
            limit.set(JAVA_LONG, 0, lesser(soft, most));
            limit.set(JAVA_LONG, JAVA_LONG.byteSize(), lesser(hard, most));
            return libc.call(CFunction.PRLIMIT, pid, resource, limit.address(), 0);
        }
    }

    /// The limit in force, all ones where there is none, or a negated errno.
    public static long softLimit(int pid, int resource) {
        try (Libc libc = Libc.open()) {
            MemorySegment limit = libc.allocate(2 * JAVA_LONG.byteSize());
            long error = libc.call(CFunction.PRLIMIT, pid, resource, 0, limit.address());
            return error < 0 ? error : limit.get(JAVA_LONG, 0);
        }
    }

    /// Sets the limit in force and leaves the hard one, so that it can be raised again.
    public static long limitSoftly(int pid, int resource, long soft) {
        try (Libc libc = Libc.open()) {
            MemorySegment limit = libc.allocate(2 * JAVA_LONG.byteSize());
            long error = libc.call(CFunction.PRLIMIT, pid, resource, 0, limit.address());
            if (error < 0) {
                return error;
            }
            limit.set(JAVA_LONG, 0, lesser(soft, limit.get(JAVA_LONG, JAVA_LONG.byteSize())));
            return libc.call(CFunction.PRLIMIT, pid, resource, limit.address(), 0);
        }
    }

    /// "No limit" is all ones.
    private static long lesser(long one, long other) {
        return Long.compareUnsigned(one, other) < 0 ? one : other;
    }

    public static long nice(int pid, int nice) {
        try (Libc libc = Libc.open()) {
            return libc.call(CFunction.SETPRIORITY, PRIO_PROCESS, pid, nice);
        }
    }

    /// The kernel's number of the calling thread.
    public static int threadId() {
        try (Libc libc = Libc.open()) {
            return (int) libc.call(CFunction.GETTID);
        }
    }
}

package dev.remora.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.lang.foreign.MemorySegment;

/// Descriptors that are no files: pipes, wake-ups, processes. All are closed on exec.
public final class Descriptors {
    static final int READ_ONLY = 0;
    private static final int GET_FLAGS = 3;
    private static final int SET_FLAGS = 4;
    private static final int SET_OWNER = 8;
    private static final int SET_SIGNAL = 10;
    private static final int ASYNCHRONOUS = 0x2000;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int NON_BLOCKING = 0x800;

    /// Without functions in glibc 2.34; the numbers are the same on x86-64 and AArch64.
    private static final long SYS_PIDFD_OPEN = 434;

    private static final long SYS_PIDFD_SEND_SIGNAL = 424;
    private static final long COUNTER_BYTES = 8;

    private Descriptors() {}

    /// Both ends of a pipe.
    public record Pipe(int readEnd, int writeEnd) {}

    public static Pipe pipe() {
        try (Libc libc = Libc.open()) {
            MemorySegment ends = libc.allocate(2 * JAVA_INT.byteSize());
            checked(libc.call(CFunction.PIPE2, ends.address(), CLOSE_ON_EXEC), "a pipe");
            return new Pipe(ends.get(JAVA_INT, 0), ends.get(JAVA_INT, JAVA_INT.byteSize()));
        }
    }

    /// A counter that `poll` sees as readable while it is not zero.
    public static int wakeUp() {
        try (Libc libc = Libc.open()) {
            return checked(libc.call(CFunction.EVENTFD, 0, CLOSE_ON_EXEC | NON_BLOCKING), "an eventfd");
        }
    }

    /// Makes the counter positive.
    public static void wake(int eventfd) {
        try (Libc libc = Libc.open()) {
            MemorySegment one = libc.allocate(COUNTER_BYTES);
            one.set(JAVA_INT, 0, 1);
            long _ = libc.call(CFunction.WRITE, eventfd, one.address(), COUNTER_BYTES);
        }
    }

    /// Makes the counter zero.
    public static void calm(int eventfd) {
        try (Libc libc = Libc.open()) {
            MemorySegment count = libc.allocate(COUNTER_BYTES);
            long _ = libc.call(CFunction.READ, eventfd, count.address(), COUNTER_BYTES);
        }
    }

    /// A descriptor that becomes readable when the process ends, or a negated errno: -38 before Linux 5.3.
    public static int pidfd(int pid) {
        try (Libc libc = Libc.open()) {
            return (int) libc.call(CFunction.SYSCALL, SYS_PIDFD_OPEN, pid, 0);
        }
    }

    /// Signals exactly the process that the descriptor was opened on.
    public static long signal(int pidfd, int signal) {
        try (Libc libc = Libc.open()) {
            return libc.call(CFunction.SYSCALL, SYS_PIDFD_SEND_SIGNAL, pidfd, signal, 0, 0);
        }
    }

    /// Bytes read, 0 at the end, or a negated errno.
    public static long read(int fd, MemorySegment buffer) {
        try (Libc libc = Libc.open()) {
            long count = libc.call(CFunction.READ, fd, buffer.address(), buffer.byteSize());
            while (count == -Errno.EINTR) {
                count = libc.call(CFunction.READ, fd, buffer.address(), buffer.byteSize());
            }
            return count;
        }
    }

    /// Bytes written, which may be fewer, or a negated errno: -11 where a descriptor that does not block has no room.
    public static long write(int fd, MemorySegment bytes) {
        try (Libc libc = Libc.open()) {
            long count = libc.call(CFunction.WRITE, fd, bytes.address(), bytes.byteSize());
            while (count == -Errno.EINTR) {
                count = libc.call(CFunction.WRITE, fd, bytes.address(), bytes.byteSize());
            }
            return count;
        }
    }

    /// From now on calls on it give an error instead of waiting. Only this end of a pipe changes.
    public static void neverBlock(int fd) {
        try (Libc libc = Libc.open()) {
            long flags = checked(libc.call(CFunction.FCNTL, fd, GET_FLAGS), "the flags of a pipe");
            int _ = checked(libc.call(CFunction.FCNTL, fd, SET_FLAGS, flags | NON_BLOCKING), "the flags of a pipe");
        }
    }

    /// Ties a process group to whoever holds the other end of a pipe: when that end is closed, also because its
    /// last holder was killed, the kernel sends `signal` to the group, as it would tell of input by SIGIO. Holds
    /// while a process of the group keeps `readEnd` open, and costs nothing until then. `PR_SET_PDEATHSIG` does the
    /// like, but only a process itself can ask for it.
    ///
    /// @return zero, or a negated errno
    public static long signalWhenClosed(int readEnd, int group, int signal) {
        try (Libc libc = Libc.open()) {
            long flags = libc.call(CFunction.FCNTL, readEnd, GET_FLAGS);
            long owned = flags < 0 ? flags : libc.call(CFunction.FCNTL, readEnd, SET_OWNER, -group);
            long chosen = owned < 0 ? owned : libc.call(CFunction.FCNTL, readEnd, SET_SIGNAL, signal);
            return chosen < 0 ? chosen : libc.call(CFunction.FCNTL, readEnd, SET_FLAGS, flags | ASYNCHRONOUS);
        }
    }

    public static void close(int fd) {
        try (Libc libc = Libc.open()) {
            long _ = libc.call(CFunction.CLOSE, fd);
        }
    }

    private static int checked(long result, String what) {
        if (result < 0) {
            throw new Fault(
                    FaultCode.COMMAND_START,
                    "no command can be started: " + what + " cannot be made: " + Errno.text((int) -result));
        }
        return (int) result;
    }
}

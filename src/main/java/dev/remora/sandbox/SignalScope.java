package dev.remora.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.CFunction;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Errno;
import dev.remora.posix.Libc;
import dev.remora.posix.Processes;
import java.lang.foreign.MemorySegment;

/// A Landlock domain that restricts one thing: whom its members may signal. Members are the thread that enters and
/// all that it starts from then on, for ever, whatever session they open; they can signal one another and nobody else.
/// So `kill(-1)` from that thread reaches exactly what it started, without a list of numbers that may be stale.
///
/// A thread enters once and never leaves. **It must not start a thread, nor wake a virtual one (which may start a
/// carrier): that thread would be a member too, and a domain made from it would lie within this one.**
///
/// Source: kernel.org, userspace-api/landlock, "IPC scoping", from ABI 6 (Linux 6.12).
public final class SignalScope {
    /// The first Landlock version that can scope signals.
    public static final int FIRST_ABI = 6;

    private static final long SYS_CREATE_RULESET = 444;
    private static final long SYS_RESTRICT_SELF = 446;
    private static final long CREATE_RULESET_VERSION = 1;
    private static final long RULESET_BYTES = 24;
    private static final long SCOPED_OFFSET = 16;
    private static final long SCOPE_SIGNAL = 2;

    private SignalScope() {}

    public static boolean supported() {
        return abi() >= FIRST_ABI;
    }

    /// The kernel's Landlock version; 0 where there is none.
    public static int abi() {
        try (Libc libc = Libc.open()) {
            return (int) Math.max(0, libc.call(CFunction.SYSCALL, SYS_CREATE_RULESET, 0, 0, CREATE_RULESET_VERSION));
        }
    }

    /// Puts the calling thread, which must be a platform thread of the caller's own, into a new domain.
    public static void enter() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a virtual thread would restrict its carrier");
        }
        try (Libc libc = Libc.open()) {
            checked(Processes.refuseNewPrivileges(), "no_new_privs");
            MemorySegment ruleset = libc.allocate(RULESET_BYTES);
            ruleset.set(JAVA_LONG, SCOPED_OFFSET, SCOPE_SIGNAL);
            long fd = checked(
                    libc.call(CFunction.SYSCALL, SYS_CREATE_RULESET, ruleset.address(), RULESET_BYTES, 0),
                    "landlock_create_ruleset");
            try {
                checked(libc.call(CFunction.SYSCALL, SYS_RESTRICT_SELF, fd, 0), "landlock_restrict_self");
            } finally {
                Descriptors.close((int) fd);
            }
        }
    }

    private static long checked(long result, String call) {
        if (result < 0) {
            throw new Fault(
                    FaultCode.COMMAND_START,
                    "the signal domain of a render cannot be made: " + call + ": " + Errno.text((int) -result));
        }
        return result;
    }
}

package dev.remora.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.remora.posix.Bytes;
import dev.remora.posix.CFunction;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Errno;
import dev.remora.posix.Libc;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A Landlock ruleset under construction: what it *handles* is forbidden, but for what it allows. Landlock has no rule
/// that forbids: whoever wants all but one thing must allow the rest by name.
///
/// Versions ("ABI") add rights: 2 moves between folders, 3 truncation, 4 TCP, 5 device controls, 6 scopes of signals
/// and abstract sockets. A kernel refuses a ruleset with a right that it does not know.
///
/// Source: kernel.org, userspace-api/landlock; `<linux/landlock.h>`.
final class Landlock implements AutoCloseable {
    /// The first version that can scope signals.
    static final int SCOPES_ABI = 6;

    static final int TCP_ABI = 4;

    static final long SCOPE_ABSTRACT_SOCKET = 1;
    static final long SCOPE_SIGNAL = 2;

    static final long EXECUTE = 1;
    static final long WRITE_FILE = 1 << 1;
    static final long READ_FILE = 1 << 2;
    static final long READ_DIR = 1 << 3;
    static final long MAKE_CHAR = 1 << 6;
    static final long MAKE_BLOCK = 1 << 11;
    static final long REFER = 1 << 13;
    static final long TRUNCATE = 1 << 14;
    static final long IOCTL_DEV = 1 << 15;
    static final long TCP = 3;

    static final long READ = EXECUTE | READ_FILE | READ_DIR;
    /// Everything but making devices and controlling them.
    static final long WRITE = ((1 << 16) - 1) & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV);

    private static final long OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
    private static final long FIRST_RIGHTS = (1 << 13) - 1;

    private static final long CREATE_RULESET_VERSION = 1;
    private static final long RULE_PATH_BENEATH = 1;
    private static final long PATH_BENEATH_BYTES = 16;
    private static final long PARENT_OFFSET = 8;
    private static final long RULESET_BYTES = 24;
    private static final long NET_OFFSET = 8;
    private static final long SCOPED_OFFSET = 16;
    private static final int PATH_ONLY_CLOEXEC = 010000000 | 02000000;
    private static final Set<Long> UNREACHABLE =
            Set.of((long) -Errno.ENOENT, (long) -Errno.EACCES, (long) -Errno.ENOTDIR, (long) -Errno.ELOOP, (long)
                    -Errno.ENAMETOOLONG);

    private final Libc libc;
    private final int descriptor;
    private final long handled;
    private final MemorySegment rule;

    private Landlock(Libc libc, int descriptor, long handled) {
        this.libc = libc;
        this.descriptor = descriptor;
        this.handled = handled;
        this.rule = libc.allocate(PATH_BENEATH_BYTES);
    }

    /// The kernel's version, or a negated errno: ENOSYS where it is not built in, EOPNOTSUPP where it is not enabled.
    static int version() {
        try (Libc libc = Libc.open()) {
            return (int) libc.call(
                    CFunction.SYSCALL, Syscall.LANDLOCK_CREATE_RULESET.number(), 0, 0, CREATE_RULESET_VERSION);
        }
    }

    /// All rights to files that a version knows.
    static long fileRights(int abi) {
        long rights = abi >= 1 ? FIRST_RIGHTS : 0;
        rights |= abi >= 2 ? REFER : 0;
        rights |= abi >= 3 ? TRUNCATE : 0;
        return rights | (abi >= 5 ? IOCTL_DEV : 0);
    }

    /// A ruleset that handles these.
    ///
    /// @throws dev.remora.fault.Fault what the kernel says
    static Landlock handling(Libc libc, long files, long tcp, long scoped) {
        MemorySegment attributes = libc.allocate(RULESET_BYTES);
        attributes.set(JAVA_LONG, 0, files);
        attributes.set(JAVA_LONG, NET_OFFSET, tcp);
        attributes.set(JAVA_LONG, SCOPED_OFFSET, scoped);
        long size = scoped != 0 ? RULESET_BYTES : tcp != 0 ? SCOPED_OFFSET : NET_OFFSET;
        long fd = libc.call(CFunction.SYSCALL, Syscall.LANDLOCK_CREATE_RULESET.number(), attributes.address(), size, 0);
        return new Landlock(libc, (int) KernelAnswer.checked(fd, "landlock_create_ruleset"), files);
    }

    /// Allows `rights` on what `path` leads to, and on all below. What does not exist, or may not be looked up, is
    /// left out: nobody reaches it anyway.
    void allow(Bytes path, long rights) {
        long parent = libc.call(CFunction.OPEN, libc.string(path), PATH_ONLY_CLOEXEC, 0);
        if (UNREACHABLE.contains(parent)) {
            return;
        }
        KernelAnswer.checked(parent, "open " + path);
        try {
            long result = add((int) parent, rights & handled);
            if (result == -Errno.EINVAL) {
                result = add((int) parent, rights & handled & OF_A_FILE);
            }
            KernelAnswer.checked(result, "landlock_add_rule " + path);
        } finally {
            long _ = libc.call(CFunction.CLOSE, parent);
        }
    }

    private long add(int parent, long rights) {
        rule.set(JAVA_LONG, 0, rights);
        rule.set(JAVA_INT, PARENT_OFFSET, parent);
        return libc.call(
                CFunction.SYSCALL,
                Syscall.LANDLOCK_ADD_RULE.number(),
                descriptor,
                RULE_PATH_BENEATH,
                rule.address(),
                0);
    }

    /// Puts the calling thread into a new domain of this ruleset.
    void enter() {
        long result = libc.call(CFunction.SYSCALL, Syscall.LANDLOCK_RESTRICT_SELF.number(), descriptor, 0);
        KernelAnswer.checked(result, "landlock_restrict_self");
    }

    @Override
    public void close() {
        Descriptors.close(descriptor);
    }
}

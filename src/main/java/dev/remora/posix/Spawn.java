package dev.remora.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/// Starts processes by `posix_spawn`: a child in a session of its own, its standard input empty unless given, all
/// signals at their defaults and none blocked, no descriptor but 0, 1, 2 and those given. It inherits the calling
/// thread's kernel restrictions.
///
/// The C library runs the child on the caller's memory until `exec` (`vfork`), so the size of our heap costs nothing,
/// and reports every failure up to and including `exec` as an error number.
public final class Spawn {
    private static final int SET_SIGNAL_DEFAULTS = 0x04;
    private static final int SET_SIGNAL_MASK = 0x08;
    private static final int SET_SESSION = 0x80;
    private static final int FIRST_CLOSED = 3;

    /// The C library's own structures are 80 and 336 bytes; we allow for growth.
    private static final long ACTIONS_BYTES = 512;

    private static final long ATTRIBUTES_BYTES = 1024;
    private static final long SIGNAL_SET_BYTES = 128;

    private Spawn() {}

    /// The child's process id, or the negated errno of what failed: the directory, the program, the memory.
    public static int start(SpawnRequest request) {
        try (Libc libc = Libc.open()) {
            MemorySegment actions = libc.allocate(ACTIONS_BYTES);
            MemorySegment attributes = libc.allocate(ATTRIBUTES_BYTES);
            checked(libc.call(CFunction.SPAWN_ACTIONS_INIT, actions.address()));
            checked(libc.call(CFunction.SPAWN_ATTR_INIT, attributes.address()));
            try {
                describe(libc, actions.address(), request);
                describe(libc, attributes.address());
                MemorySegment pid = libc.allocate(JAVA_INT.byteSize());
                long error = libc.call(
                        CFunction.POSIX_SPAWN,
                        pid.address(),
                        libc.string(request.path()),
                        actions.address(),
                        attributes.address(),
                        libc.strings(request.argv()),
                        libc.strings(request.environment()));
                return error == 0 ? pid.get(JAVA_INT, 0) : (int) -error;
            } finally {
                checked(libc.call(CFunction.SPAWN_ATTR_DESTROY, attributes.address()));
                checked(libc.call(CFunction.SPAWN_ACTIONS_DESTROY, actions.address()));
            }
        }
    }

    private static void describe(Libc libc, long actions, SpawnRequest request) {
        if (request.stdin() == SpawnRequest.NONE) {
            long empty = libc.string(Bytes.utf8("/dev/null"));
            checked(libc.call(CFunction.SPAWN_ADD_OPEN, actions, 0, empty, Descriptors.READ_ONLY, 0));
        } else {
            checked(libc.call(CFunction.SPAWN_ADD_DUP2, actions, request.stdin(), 0));
        }
        checked(libc.call(CFunction.SPAWN_ADD_DUP2, actions, request.stdout(), 1));
        checked(libc.call(CFunction.SPAWN_ADD_DUP2, actions, request.stderr(), 2));
        int closed = FIRST_CLOSED;
        if (request.fourth() != SpawnRequest.NONE) {
            checked(libc.call(CFunction.SPAWN_ADD_DUP2, actions, request.fourth(), closed++));
        }
        checked(libc.call(CFunction.SPAWN_ADD_CLOSEFROM, actions, closed));
        checked(libc.call(CFunction.SPAWN_ADD_CHDIR, actions, libc.string(request.directory())));
    }

    private static void describe(Libc libc, long attributes) {
        MemorySegment none = libc.allocate(SIGNAL_SET_BYTES);
        MemorySegment all = libc.allocate(SIGNAL_SET_BYTES);
        all.fill((byte) 0xff);
        checked(libc.call(CFunction.SPAWN_ATTR_FLAGS, attributes, SET_SESSION | SET_SIGNAL_DEFAULTS | SET_SIGNAL_MASK));
        checked(libc.call(CFunction.SPAWN_ATTR_SIGMASK, attributes, none.address()));
        checked(libc.call(CFunction.SPAWN_ATTR_SIGDEFAULT, attributes, all.address()));
    }

    /// These calls write into memory that we gave, or allocate a few bytes.
    private static void checked(long error) {
        if (error != 0) {
            throw new IllegalStateException("posix_spawn cannot be prepared: " + Errno.text((int) Math.abs(error)));
        }
    }
}

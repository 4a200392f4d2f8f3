package dev.remora.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.CFunction;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Errno;
import dev.remora.posix.Libc;
import dev.remora.posix.Processes;
import dev.remora.posix.Signal;
import dev.remora.posix.Spawn;
import dev.remora.posix.SpawnRequest;
import dev.remora.sandbox.KernelSupport.Layer;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.LongSupplier;

/// Puts every layer on a thread of its own and does what it forbids. A version number proves nothing: a container's
/// own filter, a kernel in user space or a boot option may take away what the number promises.
final class KernelTrial {
    private static final int UNIX = 1;
    private static final int INET = 2;
    private static final int STREAM_CLOEXEC = 1 | 02000000;
    private static final int DIRECTORY_CLOEXEC = 02000000;
    private static final long INET_ADDRESS_BYTES = 16;
    private static final long PR_GET_NO_NEW_PRIVS = 39;
    private static final List<String> SLEEPERS = List.of("/usr/bin/sleep", "/bin/sleep");

    private final Map<Layer, String> missing = new EnumMap<>(Layer.class);
    private final List<Bytes> ownCode = OwnCode.paths();
    private final Bytes abstractName = Bytes.of(new byte[1]).plus(Bytes.utf8("remora-" + UUID.randomUUID()));
    private final OptionalInt victim;
    private int landlock;

    private KernelTrial(OptionalInt victim) {
        this.victim = victim;
    }

    static KernelSupport run() {
        return new KernelTrial(OptionalInt.empty()).inOwnThread();
    }

    /// With a child to be signalled, where a program for that is found.
    static KernelSupport runWithVictim() {
        Optional<Integer> child = SLEEPERS.stream()
                .map(KernelTrial::started)
                .filter(pid -> pid > 0)
                .findFirst();
        try {
            return new KernelTrial(child.map(OptionalInt::of).orElse(OptionalInt.empty())).inOwnThread();
        } finally {
            child.ifPresent(KernelTrial::end);
        }
    }

    private static int started(String program) {
        Descriptors.Pipe pipe = Descriptors.pipe();
        try {
            Bytes path = Bytes.utf8(program);
            return Spawn.start(new SpawnRequest(
                    path,
                    List.of(path, Bytes.utf8("60")),
                    List.of(),
                    Bytes.utf8("/"),
                    pipe.writeEnd(),
                    pipe.writeEnd()));
        } finally {
            Descriptors.close(pipe.readEnd());
            Descriptors.close(pipe.writeEnd());
        }
    }

    private static void end(int pid) {
        long _ = Processes.kill(pid, Signal.SIGKILL);
        while (Processes.reap(pid).isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private KernelSupport inOwnThread() {
        try (Libc libc = Libc.open()) {
            long listener = libc.call(CFunction.SYSCALL, Syscall.SOCKET.number(), UNIX, STREAM_CLOEXEC, 0);
            boolean heard = listener >= 0 && listen(libc, listener);
            Thread thread = Thread.ofPlatform().name("sandbox-trial").start(() -> tryAll(heard));
            join(thread);
            if (listener >= 0) {
                Descriptors.close((int) listener);
            }
        }
        return new KernelSupport(landlock, missing);
    }

    private boolean listen(Libc libc, long listener) {
        MemorySegment address = unixAddress(libc);
        return libc.call(CFunction.SYSCALL, Syscall.BIND.number(), listener, address.address(), address.byteSize()) == 0
                && libc.call(CFunction.SYSCALL, Syscall.LISTEN.number(), listener, 1) == 0;
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void tryAll(boolean heard) {
        try (Libc libc = Libc.open()) {
            tryPrivileges(libc);
            tryDomain(libc, heard);
            tryCapabilities(libc);
            tryFilter(libc);
        }
    }

    private void tryPrivileges(Libc libc) {
        long refused = Processes.refuseNewPrivileges();
        if (libc.call(CFunction.PRCTL, PR_GET_NO_NEW_PRIVS) != 1) {
            missing.put(Layer.NO_NEW_PRIVILEGES, reason(refused));
        }
    }

    private void tryCapabilities(Libc libc) {
        try {
            Capabilities.drop(libc);
            if (!Capabilities.areGone(libc)) {
                missing.put(Layer.CAPABILITIES, "some are left");
            }
        } catch (Fault fault) {
            missing.put(Layer.CAPABILITIES, Fault.words(fault));
        }
    }

    private void tryDomain(Libc libc, boolean heard) {
        int version = Landlock.version();
        try {
            landlock = Math.max(0, version);
            if (version <= 0) {
                throw new Fault(FaultCode.COMMAND_START, whyNone(version));
            }
            enterDomain(libc);
        } catch (Fault fault) {
            landlock = 0;
            List.of(
                            Layer.FILES,
                            Layer.MOVES,
                            Layer.TRUNCATION,
                            Layer.TCP,
                            Layer.DEVICES,
                            Layer.ABSTRACT_SOCKETS,
                            Layer.SIGNALS)
                    .forEach(layer -> missing.put(layer, Fault.words(fault)));
            return;
        }
        since(Layer.MOVES, 2);
        since(Layer.TRUNCATION, 3);
        since(Layer.DEVICES, 5);
        refuses(Layer.FILES, 1, Errno.EACCES, () -> openRoot(libc));
        refuses(Layer.TCP, Landlock.TCP_ABI, Errno.EACCES, () -> bindTcp(libc));
        if (heard) {
            refuses(Layer.ABSTRACT_SOCKETS, Landlock.SCOPES_ABI, Errno.EPERM, () -> connectAbstract(libc));
        } else {
            since(Layer.ABSTRACT_SOCKETS, Landlock.SCOPES_ABI);
        }
        if (victim.isPresent()) {
            refuses(
                    Layer.SIGNALS,
                    Landlock.SCOPES_ABI,
                    Errno.EPERM,
                    () -> Processes.kill(victim.getAsInt(), Signal.PROBE));
        } else {
            since(Layer.SIGNALS, Landlock.SCOPES_ABI);
        }
    }

    private void enterDomain(Libc libc) {
        long tcp = landlock >= Landlock.TCP_ABI ? Landlock.TCP : 0;
        long scopes = landlock >= Landlock.SCOPES_ABI ? Landlock.SCOPE_SIGNAL | Landlock.SCOPE_ABSTRACT_SOCKET : 0;
        try (Landlock ruleset = Landlock.handling(libc, Landlock.fileRights(landlock), tcp, scopes)) {
            ownCode.forEach(path -> ruleset.allow(path, Landlock.READ));
            ruleset.enter();
        }
    }

    private static String whyNone(int version) {
        return switch (-version) {
            case Errno.ENOSYS -> "the kernel has no Landlock";
            case Errno.EOPNOTSUPP -> "Landlock is built in but not enabled; add it to lsm= of the boot options";
            case Errno.EPERM -> "a filter around this process refuses Landlock's system calls";
            default -> Errno.text(-version);
        };
    }

    /// The kernel took the right into a ruleset, and refuses those that it does not know.
    private void since(Layer layer, int abi) {
        if (landlock < abi) {
            missing.put(layer, "this kernel has Landlock " + landlock);
        }
    }

    private void refuses(Layer layer, int abi, int errno, LongSupplier forbidden) {
        since(layer, abi);
        if (landlock >= abi) {
            long result = forbidden.getAsLong();
            if (result != -errno) {
                missing.put(layer, result >= 0 ? "tried, and it was allowed" : "tried: " + reason(result));
            }
        }
    }

    private static long openRoot(Libc libc) {
        return closed(libc.call(CFunction.OPEN, libc.string(Bytes.utf8("/")), DIRECTORY_CLOEXEC, 0));
    }

    private static long bindTcp(Libc libc) {
        long socket = libc.call(CFunction.SYSCALL, Syscall.SOCKET.number(), INET, STREAM_CLOEXEC, 0);
        if (socket < 0) {
            return -Errno.EACCES; // No IP at all, so none to be fenced.
        }
        MemorySegment any = libc.allocate(INET_ADDRESS_BYTES);
        any.set(JAVA_SHORT, 0, (short) INET);
        long result = libc.call(CFunction.SYSCALL, Syscall.BIND.number(), socket, any.address(), INET_ADDRESS_BYTES);
        Descriptors.close((int) socket);
        return result;
    }

    private long connectAbstract(Libc libc) {
        long socket = libc.call(CFunction.SYSCALL, Syscall.SOCKET.number(), UNIX, STREAM_CLOEXEC, 0);
        if (socket < 0) {
            return socket;
        }
        MemorySegment address = unixAddress(libc);
        long result =
                libc.call(CFunction.SYSCALL, Syscall.CONNECT.number(), socket, address.address(), address.byteSize());
        Descriptors.close((int) socket);
        return result;
    }

    private MemorySegment unixAddress(Libc libc) {
        MemorySegment address = libc.allocate(Short.BYTES + abstractName.length());
        address.set(JAVA_SHORT, 0, (short) UNIX);
        MemorySegment.copy(
                MemorySegment.ofArray(abstractName.toArray()),
                JAVA_BYTE,
                0,
                address,
                JAVA_BYTE,
                2,
                abstractName.length());
        return address;
    }

    /// The filter of a real render, with nothing allowed.
    private void tryFilter(Libc libc) {
        Fence.Strict nothing = new Fence.Strict(new FileFence(ownCode, List.of()), Fence.Network.NONE, false);
        long installed = FenceFilter.program(Processor.current(), nothing).install();
        if (installed != 0) {
            missing.put(Layer.SYSTEM_CALLS, reason(installed));
            return;
        }
        long socket = closed(libc.call(CFunction.SYSCALL, Syscall.SOCKET.number(), INET, STREAM_CLOEXEC, 0));
        long debugging = libc.call(CFunction.SYSCALL, Syscall.PTRACE.number(), 0, 0, 0, 0);
        if (socket != -Errno.EACCES || debugging != -Errno.EPERM) {
            missing.put(Layer.SYSTEM_CALLS, "the filter was taken, and does not hold");
        }
    }

    private static long closed(long descriptor) {
        if (descriptor >= 0) {
            Descriptors.close((int) descriptor);
        }
        return descriptor;
    }

    private static String reason(long result) {
        return result < 0 ? Errno.text((int) -result) : "tried, without effect";
    }
}

package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Processes;
import dev.remora.posix.Spawn;
import dev.remora.posix.SpawnRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// Watches a program that does nothing, so that a real watch finds every class loaded and every call linked, on both
/// sides.
final class AccessRehearsal {
    private static final List<Bytes> PROGRAM = List.of(
            Bytes.utf8("/bin/sh"), Bytes.utf8("-c"), Bytes.utf8("exec 3>/dev/null </dev/null; cd /; exec true"));

    private static final long PAUSE_NANOS = 200_000;

    private AccessRehearsal() {}

    /// @throws dev.remora.fault.Fault where the kernel cannot
    static void once() {
        AtomicReference<Throwable> fault = new AtomicReference<>();
        try (AccessWatch watch = AccessWatch.unrehearsed()) {
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .name("access-rehearsal")
                    .start(() -> {
                        try {
                            watch.enter();
                            run();
                        } catch (RuntimeException | Error e) {
                            fault.set(e);
                        }
                    });
            join(thread);
        }
        switch (fault.get()) {
            case null -> {}
            case RuntimeException refused -> throw refused;
            case Error error -> throw error;
            default -> throw new IllegalStateException(fault.get());
        }
    }

    private static void run() {
        Descriptors.Pipe pipe = Descriptors.pipe();
        int pid = Spawn.start(new SpawnRequest(
                PROGRAM.getFirst(), PROGRAM, List.of(), Bytes.utf8("/"), pipe.writeEnd(), pipe.writeEnd()));
        Descriptors.close(pipe.writeEnd());
        while (pid > 0 && Processes.reap(pid).isEmpty()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        Descriptors.close(pipe.readEnd());
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

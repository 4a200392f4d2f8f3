package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileType;
import dev.remora.posix.Libc;
import dev.remora.posix.PinnedFile;
import dev.remora.posix.Poll;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Changes the modes and times of files for strict renders, each in its own writable places and nowhere else.
///
/// Landlock has no say about `chmod` and `utimensat`: whoever runs as the server's user could close the work root, the
/// sidecar's socket, or whatever the user owns and whose path he knows, or that he may open for reading. And a filter
/// sees the address of a path, not the path. So a strict fence's filter stops these calls, and this thread, which is
/// behind no fence, carries them out itself: it reads the path once, opens what it leads to, or what the descriptor is,
/// asks the kernel for the real path of what it has open, and changes just that, if it lies where the render may write
/// and belongs to the user. A program that changes its memory, its links or its descriptors meanwhile gains nothing:
/// what was judged is what is changed.
///
/// One thread for all renders. Restricted threads only put their listener into a queue and wake it.
final class InodeGate implements AutoCloseable {
    /// The calls that it carries out.
    static final List<Syscall> CALLS = InodeChange.CALLS;

    private static final long STACK_BYTES = 512 * 1024;
    private static final int FOR_EVER = -1;

    private final Processor processor = Processor.current();
    private final int wakeUp = Descriptors.wakeUp();
    private final ConcurrentLinkedQueue<Gate> arriving = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    /// A render's listener.
    ///
    /// @param writable real paths
    private record Gate(int listener, List<Bytes> writable) {}

    InodeGate() {
        thread = Thread.ofPlatform()
                .daemon()
                .name("inode-gate")
                .stackSize(STACK_BYTES)
                .start(this::serve);
    }

    /// From a restricted thread: its calls are answered from now on, until nobody is left who could call.
    ///
    /// @param writable real paths of files and folders
    void answer(int listener, List<Bytes> writable) {
        arriving.add(new Gate(listener, writable));
        Descriptors.wake(wakeUp);
    }

    private void serve() {
        List<Gate> gates = new ArrayList<>();
        try (Libc libc = Libc.open()) {
            Notifications waiting = new Notifications(libc);
            while (!closed) {
                wait(gates, waiting);
                for (Gate gate = arriving.poll(); gate != null; gate = arriving.poll()) {
                    gates.add(gate);
                }
            }
        } finally {
            gates.forEach(gate -> Descriptors.close(gate.listener()));
        }
    }

    private void wait(List<Gate> gates, Notifications waiting) {
        try (Libc libc = Libc.open()) {
            Poll poll = new Poll(libc, gates.size() + 1);
            poll.set(0, wakeUp);
            for (int i = 0; i < gates.size(); i++) {
                poll.set(i + 1, gates.get(i).listener());
            }
            poll.await(FOR_EVER);
            if (poll.ready(0)) {
                Descriptors.calm(wakeUp);
            }
            for (int i = gates.size() - 1; i >= 0; i--) {
                if (poll.readable(i + 1)) {
                    answerOne(gates.get(i), waiting);
                } else if (poll.ready(i + 1)) {
                    Descriptors.close(gates.remove(i).listener());
                }
            }
        }
    }

    private void answerOne(Gate gate, Notifications waiting) {
        Optional<Notifications.Waiting> call = waiting.receive(gate.listener());
        if (call.isEmpty()) {
            return;
        }
        int errno = Errno.EPERM;
        try {
            errno = carryOut(gate, waiting, call.get());
        } finally {
            waiting.finish(gate.listener(), call.get(), errno);
        }
    }

    /// An errno; 0: done.
    private int carryOut(Gate gate, Notifications waiting, Notifications.Waiting call) {
        WatchedProcess process = new WatchedProcess(call.thread());
        InodeChange change;
        try {
            change = InodeChange.of(processor, call, process);
        } catch (ErrnoException e) {
            return e.errno();
        }
        if (!waiting.stillWaits(gate.listener(), call)) {
            return Errno.ENOENT;
        }
        return carryOut(gate, process, change);
    }

    private static int carryOut(Gate gate, WatchedProcess process, InodeChange change) {
        try (PinnedFile file = PinnedFile.open(process.own(change.path()), change.follow())) {
            Bytes real = file.realPath();
            boolean writable = gate.writable().stream().anyMatch(place -> isBelow(real, place));
            if (!writable || !file.isOurs() || isDevice(file.status().type())) {
                return Errno.EPERM;
            }
            change.action().on(file);
            return 0;
        } catch (ErrnoException e) {
            return e.errno();
        }
    }

    /// All may write to `/dev/null`, and it must stay so.
    private static boolean isDevice(FileType type) {
        return type == FileType.CHARACTER_DEVICE || type == FileType.BLOCK_DEVICE;
    }

    private static boolean isBelow(Bytes path, Bytes folder) {
        return path.equals(folder) || path.startsWith(folder.plus(Bytes.utf8("/")));
    }

    /// After the last render.
    @Override
    public void close() {
        closed = true;
        Descriptors.wake(wakeUp);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        Descriptors.close(wakeUp);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

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
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Changes the modes of files for strict renders, each in its own writable places and nowhere else.
///
/// Landlock has no say about `chmod`: whoever runs as the server's user could close the work root, the sidecar's
/// socket,
/// or whatever the user owns and whose path he knows. And a filter sees the address of a path, not the path. So a
/// strict
/// fence's filter stops these calls, and this thread, which is behind no fence, carries them out itself: it reads the
/// path once, opens what it leads to, asks the kernel for the real path of what it has open, and changes the mode of
/// just that, if it lies where the render may write and belongs to the user. A program that changes its memory or its
/// links meanwhile gains nothing: what was judged is what is changed.
///
/// One thread for all renders. Restricted threads only put their listener into a queue and wake it.
final class ModeGate implements AutoCloseable {
    /// The calls that it carries out.
    static final List<Syscall> CALLS = List.of(Syscall.CHMOD, Syscall.FCHMODAT, Syscall.FCHMODAT2);

    private static final int CWD = -100;
    private static final int NO_FOLLOW = 0x100;
    private static final int EMPTY_PATH = 0x1000;
    private static final int MODE_BITS = 07777;
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

    ModeGate() {
        thread = Thread.ofPlatform()
                .daemon()
                .name("mode-gate")
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
        boolean byPathAlone = Syscall.CHMOD.number(processor).equals(OptionalInt.of(call.number()));
        long[] arguments = call.arguments();
        int folder = byPathAlone ? CWD : (int) arguments[0];
        int mode = (int) arguments[byPathAlone ? 1 : 2] & MODE_BITS;
        boolean hasFlags = Syscall.FCHMODAT2.number(processor).equals(OptionalInt.of(call.number()));
        int flags = hasFlags ? (int) arguments[3] : 0;
        WatchedProcess process = new WatchedProcess(call.thread());
        Optional<Bytes> path = process.text(arguments[byPathAlone ? 0 : 1]);
        if (path.isEmpty() || (flags & ~(NO_FOLLOW | EMPTY_PATH)) != 0) {
            return Errno.EINVAL;
        }
        if (path.get().isEmpty() && (flags & EMPTY_PATH) == 0) {
            return Errno.ENOENT;
        }
        Optional<Bytes> absolute = process.absolute(folder, path.get());
        if (absolute.isEmpty() || !waiting.stillWaits(gate.listener(), call)) {
            return Errno.ENOENT;
        }
        return change(gate, process.own(absolute.get()), (flags & NO_FOLLOW) == 0, mode);
    }

    private static int change(Gate gate, Bytes path, boolean follow, int mode) {
        try (PinnedFile file = PinnedFile.open(path, follow)) {
            Bytes real = file.realPath();
            boolean writable = gate.writable().stream().anyMatch(place -> isBelow(real, place));
            if (!writable || !file.isOurs() || isDevice(file.status().type())) {
                return Errno.EPERM;
            }
            file.changeMode(mode);
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

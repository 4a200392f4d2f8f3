package dev.remora.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.remora.posix.Descriptors;
import dev.remora.posix.Errno;
import dev.remora.posix.Libc;
import dev.remora.posix.Poll;
import dev.remora.posix.Processes;
import dev.remora.posix.Signal;
import dev.remora.posix.WaitStatus;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A running standing process as its thread sees it: the child, our ends of its pipes, and one wait for all of them.
/// Used by that thread alone.
final class StandingPipes implements AutoCloseable {
    private static final int OUT = 0;
    private static final int ERR = 1;
    private static final int CHILD = 2;
    private static final int WAKE = 3;
    private static final int IN = 4;
    private static final int SLOTS = 5;
    private static final int CLOSED = -1;

    /// What a pipe takes at once, usually.
    private static final int WRITE_BYTES = 64 * 1024;

    /// A pipe holds 64 KiB, one read; who fills it meanwhile is not waited for.
    private static final int DRAIN_ROUNDS = 32;

    /// A process that ends closes its output a moment before it is dead; how it ended says more.
    private static final int SETTLE_ROUNDS = 10;

    private static final int SETTLE_MILLIS = 5;

    private final RenderContext render;
    private final Poll poll;
    private final MemorySegment writeBuffer;
    private final int pid;
    private final int pidfd;
    private int stdin;
    private int stdout;
    private int stderr;
    private byte[] unwritten = new byte[0];
    private int written;
    private @Nullable WaitStatus status;
    private boolean inputBroken;

    StandingPipes(RenderContext render, Libc libc, StartedCommand child, int stdinEnd) {
        this.render = render;
        this.poll = new Poll(libc, SLOTS);
        this.writeBuffer = libc.buffer(WRITE_BYTES);
        this.pid = child.pid();
        this.pidfd = Descriptors.pidfd(pid);
        this.stdin = stdinEnd;
        this.stdout = child.stdoutEnd();
        this.stderr = child.stderrEnd();
        poll.set(OUT, stdout);
        poll.set(ERR, stderr);
        poll.set(CHILD, pidfd);
        poll.set(WAKE, render.wake());
    }

    int pid() {
        return pid;
    }

    /// Adds to what the process is to read.
    void send(byte[] line) {
        byte[] all = new byte[unwritten.length - written + line.length];
        System.arraycopy(unwritten, written, all, 0, unwritten.length - written);
        System.arraycopy(line, 0, all, unwritten.length - written, line.length);
        unwritten = all;
        written = 0;
        write();
    }

    /// Whether it has taken all that was sent, or at least the pipe has.
    boolean sent() {
        return written == unwritten.length;
    }

    /// Returns when something happened or the time is over; writes what fits, reads into `line` and `said`, reaps.
    void await(int milliseconds, LineBuffer line, HeadAndTail said) {
        if (!sent() && stdin != CLOSED && !inputBroken) {
            poll.setWritable(IN, stdin);
        } else {
            poll.clear(IN);
        }
        poll.await(milliseconds);
        if (poll.ready(WAKE)) {
            Descriptors.calm(render.wake());
        }
        if (poll.ready(IN)) {
            write();
        }
        readReady(line, said);
        reap();
        if (status != null) {
            drain(line, said);
        }
    }

    /// Takes what is in the pipes, without waiting for more.
    void drain(LineBuffer line, HeadAndTail said) {
        for (int round = 0; round < DRAIN_ROUNDS; round++) {
            poll.await(0);
            if (!poll.ready(OUT) && !poll.ready(ERR)) {
                return;
            }
            readReady(line, said);
        }
    }

    private void write() {
        while (!sent() && stdin != CLOSED && !inputBroken) {
            int count = Math.min(WRITE_BYTES, unwritten.length - written);
            MemorySegment.copy(unwritten, written, writeBuffer, JAVA_BYTE, 0, count);
            long taken = Descriptors.write(stdin, writeBuffer.asSlice(0, count));
            if (taken == -Errno.EAGAIN) {
                return;
            }
            if (taken < 0) {
                inputBroken = true;
            } else {
                written += (int) taken;
            }
        }
        if (sent()) {
            unwritten = new byte[0];
            written = 0;
        }
    }

    private void readReady(LineBuffer line, HeadAndTail said) {
        if (stdout != CLOSED && poll.ready(OUT)) {
            long count = Descriptors.read(stdout, render.buffer());
            if (count > 0) {
                line.add(render.buffer(), count);
            } else {
                poll.clear(OUT);
                Descriptors.close(stdout);
                stdout = CLOSED;
            }
        }
        if (stderr != CLOSED && poll.ready(ERR)) {
            long count = Descriptors.read(stderr, render.buffer());
            if (count > 0) {
                said.add(render.buffer().asSlice(0, count).toArray(JAVA_BYTE));
            } else {
                poll.clear(ERR);
                Descriptors.close(stderr);
                stderr = CLOSED;
            }
        }
    }

    void reap() {
        if (status == null) {
            Processes.reap(pid).ifPresent(ended -> {
                status = ended;
                poll.clear(CHILD);
            });
        }
    }

    /// Whether the process itself runs.
    boolean running() {
        return status == null;
    }

    /// Why it can answer no more, if so.
    Optional<String> broken() {
        for (int i = 0; i < SETTLE_ROUNDS && stdout == CLOSED && status == null; i++) {
            poll.await(SETTLE_MILLIS);
            reap();
        }
        WaitStatus end = status;
        if (end != null) {
            return Optional.of(
                    end.exited()
                            ? "it ended with exit status " + end.exitStatus()
                            : "it was ended by signal " + end.signal());
        }
        if (stdout == CLOSED) {
            return Optional.of("it closed its standard output");
        }
        return inputBroken && !sent() ? Optional.of("it closed its standard input") : Optional.empty();
    }

    /// The polite way to say that no question will follow.
    void closeInput() {
        if (stdin != CLOSED) {
            poll.clear(IN);
            Descriptors.close(stdin);
            stdin = CLOSED;
        }
    }

    /// Also on an error of ours: no descriptor and no process stays behind.
    @Override
    public void close() {
        if (status == null) {
            long _ = Processes.kill(pid, Signal.SIGKILL);
        }
        closeInput();
        for (int end : new int[] {stdout, stderr, pidfd}) {
            if (end >= 0) {
                Descriptors.close(end);
            }
        }
    }
}

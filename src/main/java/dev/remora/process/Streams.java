package dev.remora.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.remora.posix.Descriptors;
import dev.remora.posix.Poll;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;

/// The two pipes of one command, read on the render's own thread.
final class Streams {
    static final int STDOUT = 0;
    static final int STDERR = 1;
    private static final int CLOSED = -1;

    /// A pipe holds 64 KiB, one read; who fills it meanwhile is no member of the render, and is not waited for.
    private static final int DRAIN_ROUNDS = 32;

    private final Poll poll;
    private final MemorySegment buffer;
    private final BoundedOutput stdout;
    private final HeadAndTail stderr;
    private final int[] ends;

    Streams(Poll poll, MemorySegment buffer, int stdoutEnd, int stderrEnd, long limit, HeadAndTail stderr) {
        this.poll = poll;
        this.buffer = buffer;
        this.stderr = stderr;
        this.stdout = new BoundedOutput(limit);
        this.ends = new int[] {stdoutEnd, stderrEnd};
        poll.set(STDOUT, stdoutEnd);
        poll.set(STDERR, stderrEnd);
    }

    /// Takes what the last wait found.
    void readReady() {
        read(STDOUT);
        read(STDERR);
    }

    private void read(int slot) {
        if (ends[slot] == CLOSED || !poll.ready(slot)) {
            return;
        }
        long count = Descriptors.read(ends[slot], buffer);
        if (count <= 0) {
            close(slot);
        } else if (slot == STDOUT) {
            stdout.add(buffer, count);
        } else {
            stderr.add(buffer.asSlice(0, count).toArray(JAVA_BYTE));
        }
    }

    /// Takes what is still in the pipes, without waiting for more.
    void drain() {
        for (int round = 0; round < DRAIN_ROUNDS && !ended(); round++) {
            poll.await(0);
            readReady();
        }
    }

    boolean ended() {
        return ends[STDOUT] == CLOSED && ends[STDERR] == CLOSED;
    }

    /// The descriptors not yet at their end.
    int[] open() {
        return Arrays.stream(ends).filter(end -> end != CLOSED).toArray();
    }

    boolean tooMuch() {
        return stdout.exceeded();
    }

    Captured captured(Duration took, boolean memoryRanOut) {
        return new Captured(stdout.bytes(), stderr.text(), stdout.seen(), stderr.seen(), took, memoryRanOut);
    }

    void close() {
        close(STDOUT);
        close(STDERR);
    }

    private void close(int slot) {
        if (ends[slot] != CLOSED) {
            poll.clear(slot);
            Descriptors.close(ends[slot]);
            ends[slot] = CLOSED;
        }
    }
}

package dev.remora.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// One line, kept up to a limit, and whether anything follows it.
final class LineBuffer {
    private static final byte END = '\n';

    private final long limit;
    private final List<byte[]> pieces = new ArrayList<>();
    private long length;
    private boolean complete;
    private boolean followed;

    LineBuffer(long limit) {
        this.limit = limit;
    }

    void add(MemorySegment buffer, long count) {
        long end = complete ? 0 : indexOfEnd(buffer, count);
        if (!complete) {
            long take = Math.min(end, limit - length);
            if (take > 0) {
                pieces.add(buffer.asSlice(0, take).toArray(JAVA_BYTE));
            }
            length += end;
            complete = end < count;
            followed = end + 1 < count;
        } else {
            followed |= count > 0;
        }
    }

    private static long indexOfEnd(MemorySegment buffer, long count) {
        long at = 0;
        while (at < count && buffer.get(JAVA_BYTE, at) != END) {
            at++;
        }
        return at;
    }

    boolean complete() {
        return complete;
    }

    /// Whether more was printed than the one line.
    boolean followed() {
        return followed;
    }

    boolean exceeded() {
        return length > limit;
    }

    long length() {
        return length;
    }

    byte[] bytes() {
        byte[] all = new byte[Math.toIntExact(Math.min(length, limit))];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, all, at, piece.length);
            at += piece.length;
        }
        return all;
    }
}

package dev.remora.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// What a command prints, kept up to a limit; beyond it only counted.
final class BoundedOutput {
    private final long limit;
    private final List<byte[]> pieces = new ArrayList<>();
    private long kept;
    private long seen;

    BoundedOutput(long limit) {
        this.limit = limit;
    }

    void add(MemorySegment buffer, long count) {
        int take = (int) Math.min(count, limit - kept);
        if (take > 0) {
            pieces.add(buffer.asSlice(0, take).toArray(JAVA_BYTE));
            kept += take;
        }
        seen += count;
    }

    boolean exceeded() {
        return seen > limit;
    }

    long seen() {
        return seen;
    }

    byte[] bytes() {
        if (pieces.size() == 1) {
            return pieces.getFirst();
        }
        byte[] all = new byte[Math.toIntExact(kept)];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, all, at, piece.length);
            at += piece.length;
        }
        return all;
    }
}

package dev.remora.discovery;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.ArrayList;
import java.util.List;

/// Bytes one behind another, up to a bound, in pieces: growing copies nothing.
final class ByteStore {
    private static final int PIECE_BITS = 16;
    private static final int PIECE = 1 << PIECE_BITS;

    private final int most;
    private final List<byte[]> pieces = new ArrayList<>();
    private int size;

    ByteStore(int most) {
        this.most = most;
    }

    int size() {
        return size;
    }

    void append(int value) {
        if (size == most) {
            throw new Fault(
                    FaultCode.ARCHIVE_LIMIT,
                    "the names in the archive take more than " + most
                            + " bytes, so the discover rule cannot be judged on them; exclude what the plugin does not"
                            + " need from the archive");
        }
        if (size >>> PIECE_BITS == pieces.size()) {
            pieces.add(new byte[PIECE]);
        }
        set(size++, value);
    }

    void appendInt(int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            append(value >>> shift);
        }
    }

    void appendAll(byte[] values) {
        int from = 0;
        while (from < values.length) {
            append(values[from++]);
            int room = Math.min(-size & PIECE - 1, most - size);
            int part = Math.min(values.length - from, room);
            System.arraycopy(values, from, pieces.getLast(), size & PIECE - 1, part);
            from += part;
            size += part;
        }
    }

    byte at(int index) {
        return pieces.get(index >>> PIECE_BITS)[index & PIECE - 1];
    }

    void set(int index, int value) {
        pieces.get(index >>> PIECE_BITS)[index & PIECE - 1] = (byte) value;
    }

    int intAt(int index) {
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = (value << 8) | (at(index + i) & 0xFF);
        }
        return value;
    }

    void setInt(int index, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            set(index + i, value >>> (8 * (Integer.BYTES - 1 - i)));
        }
    }

    byte[] range(int from, int length) {
        byte[] range = new byte[length];
        for (int i = 0; i < length; i++) {
            range[i] = at(from + i);
        }
        return range;
    }
}

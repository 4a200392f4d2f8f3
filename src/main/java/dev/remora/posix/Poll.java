package dev.remora.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/// Waits for the first of a few descriptors. A slot without a descriptor is never ready.
public final class Poll {
    private static final long SLOT_BYTES = 8;
    private static final long EVENTS_OFFSET = 4;
    private static final long RESULT_OFFSET = 6;
    private static final short READABLE = 1;
    private static final short WRITABLE = 4;
    private static final int NONE = -1;

    private final Libc libc;
    private final MemorySegment slots;
    private final int count;

    public Poll(Libc libc, int count) {
        this.libc = libc;
        this.count = count;
        this.slots = libc.allocate(count * SLOT_BYTES);
        for (int i = 0; i < count; i++) {
            clear(i);
            slots.set(JAVA_SHORT, i * SLOT_BYTES + EVENTS_OFFSET, READABLE);
        }
    }

    public void set(int slot, int fd) {
        slots.set(JAVA_INT, slot * SLOT_BYTES, fd);
    }

    /// As [#set], for a descriptor that we want to write to.
    public void setWritable(int slot, int fd) {
        slots.set(JAVA_SHORT, slot * SLOT_BYTES + EVENTS_OFFSET, WRITABLE);
        set(slot, fd);
    }

    public void clear(int slot) {
        set(slot, NONE);
    }

    /// Returns when one is ready, after the time, or sooner without a reason.
    public void await(int milliseconds) {
        if (libc.call(CFunction.POLL, slots.address(), count, milliseconds) < 0) {
            for (int i = 0; i < count; i++) {
                slots.set(JAVA_SHORT, i * SLOT_BYTES + RESULT_OFFSET, (short) 0);
            }
        }
    }

    /// Whether the last wait found data, the end of the stream or an error there; of one to write to, room or an error.
    public boolean ready(int slot) {
        return slots.get(JAVA_SHORT, slot * SLOT_BYTES + RESULT_OFFSET) != 0;
    }

    /// Whether the last wait found data there, and not only the end.
    public boolean readable(int slot) {
        return (slots.get(JAVA_SHORT, slot * SLOT_BYTES + RESULT_OFFSET) & READABLE) != 0;
    }
}

package dev.remora.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Memory outside the heap that is lent for the time of a few calls and used again. An arena's own allocation costs a
/// `malloc`, a `free` and a pass of zeros, which small calls feel.
final class Scratch implements AutoCloseable {
    /// Idle blocks of each size that are kept; further ones are the garbage collector's.
    private static final int MOST_IDLE = 12;

    private final Size size;
    private final MemorySegment block;
    private final MemorySegment memory;

    /// The sizes in which it is kept.
    private static final List<Size> SIZES = List.of(new Size(16 << 10), new Size(64 << 10), new Size(128 << 10));

    private static final class Size {
        private final long bytes;
        private final Deque<MemorySegment> idle = new ArrayDeque<>();

        Size(long bytes) {
            this.bytes = bytes;
        }

        MemorySegment take() {
            synchronized (idle) {
                MemorySegment kept = idle.poll();
                if (kept != null) {
                    return kept;
                }
            }
            return Arena.ofAuto().allocate(bytes, Libc.ALIGNMENT);
        }

        void give(MemorySegment block) {
            synchronized (idle) {
                if (idle.size() < MOST_IDLE) {
                    idle.push(block);
                }
            }
        }
    }

    private Scratch(Size size, Arena arena) {
        this.size = size;
        this.block = size.take();
        this.memory = block.reinterpret(arena, null);
    }

    /// At least `bytes`, with whatever an earlier use left in it, for as long as `arena` lives and for the threads that
    /// may use that; to be closed after it. Empty where so much is not kept.
    static Optional<Scratch> lend(long bytes, Arena arena) {
        for (Size size : SIZES) {
            if (bytes <= size.bytes) {
                return Optional.of(new Scratch(size, arena));
            }
        }
        return Optional.empty();
    }

    MemorySegment memory() {
        return memory;
    }

    @Override
    public void close() {
        size.give(block);
    }
}

package dev.remora.posix;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Bytes outside the heap, which the kernel and zlib can use without a copy, with whatever an earlier use left in them;
/// given back when closed. For the thread that made it.
public final class NativeBuffer implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final Optional<Scratch> block;
    private final ByteBuffer bytes;

    private NativeBuffer(int size) {
        block = Scratch.lend(size, arena);
        bytes = block.map(lent -> lent.memory().asSlice(0, size))
                .orElseGet(() -> arena.allocate(size, Libc.ALIGNMENT))
                .asByteBuffer();
    }

    public static NativeBuffer allocate(int size) {
        return new NativeBuffer(size);
    }

    public ByteBuffer bytes() {
        return bytes;
    }

    @Override
    public void close() {
        arena.close();
        block.ifPresent(Scratch::close);
    }
}

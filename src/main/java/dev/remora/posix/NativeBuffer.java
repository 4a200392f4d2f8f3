package dev.remora.posix;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/// Bytes outside the heap, which the kernel and zlib can use without a copy; freed when closed. For the thread that
/// made
/// it.
public final class NativeBuffer implements AutoCloseable {
    private static final int ALIGNMENT = 16;

    private final Arena arena = Arena.ofConfined();
    private final ByteBuffer bytes;

    private NativeBuffer(int size) {
        bytes = arena.allocate(size, ALIGNMENT).asByteBuffer();
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
    }
}

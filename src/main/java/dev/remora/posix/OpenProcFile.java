package dev.remora.posix;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A file of `/proc` that is kept open, so that it can be read when no descriptor is left. Every reading begins at its
/// start and shows what is there now. Threads may share it.
public final class OpenProcFile implements AutoCloseable {
    private static final int CLOSE_ON_EXEC = 0x80000;

    private final int descriptor;

    private OpenProcFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /// Empty if it is not there.
    public static Optional<OpenProcFile> open(String path) {
        try (Libc libc = Libc.open()) {
            int fd = (int)
                    libc.call(CFunction.OPEN, libc.string(Bytes.utf8(path)), Descriptors.READ_ONLY | CLOSE_ON_EXEC, 0);
            return fd < 0 ? Optional.empty() : Optional.of(new OpenProcFile(fd));
        }
    }

    /// At most `limit` bytes of it.
    public String text(int limit) {
        try (Libc libc = Libc.open()) {
            MemorySegment buffer = libc.buffer(limit);
            long filled = 0;
            long count = 1;
            while (count > 0 && filled < limit) {
                count = libc.call(CFunction.PREAD, descriptor, buffer.address() + filled, limit - filled, filled);
                filled += Math.max(count, 0);
            }
            return new String(Libc.bytes(buffer, 0, filled).unsafeArray(), StandardCharsets.ISO_8859_1);
        }
    }

    @Override
    public void close() {
        Descriptors.close(descriptor);
    }
}

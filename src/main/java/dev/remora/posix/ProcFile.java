package dev.remora.posix;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Reads small files of `/proc` and `/sys/fs/cgroup`, without the JDK's file classes: fit for threads under kernel
/// restrictions, and a third of the cost.
public final class ProcFile {
    private static final int CLOSE_ON_EXEC = 0x80000;

    private ProcFile() {}

    /// At most `limit` bytes of the file; empty if it is not there, which for a process means that it has ended.
    public static Optional<Bytes> read(String path, int limit) {
        try (Libc libc = Libc.open()) {
            int fd = (int)
                    libc.call(CFunction.OPEN, libc.string(Bytes.utf8(path)), Descriptors.READ_ONLY | CLOSE_ON_EXEC, 0);
            if (fd < 0) {
                return Optional.empty();
            }
            MemorySegment buffer = libc.buffer(limit);
            long filled = 0;
            long count = 1;
            while (count > 0 && filled < limit) {
                count = Descriptors.read(fd, buffer.asSlice(filled));
                filled += Math.max(count, 0);
            }
            Descriptors.close(fd);
            return count < 0 ? Optional.empty() : Optional.of(Libc.bytes(buffer, 0, filled));
        }
    }

    /// As text; file systems of the kernel speak ASCII but for names.
    public static Optional<String> text(String path, int limit) {
        return read(path, limit).map(bytes -> new String(bytes.unsafeArray(), StandardCharsets.ISO_8859_1));
    }
}

package dev.remora.archive;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.NativeBuffer;
import dev.remora.posix.OpenFile;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Holds the content of a file that may be there already until that is known.
///
/// A small one is kept in memory and judged by its digest, so that the old file need not be opened. A large one is
/// compared with the old file part by part; what was equal up to the first difference is copied from there.
final class FileComparison implements AutoCloseable {
    /// Files up to this size are kept in memory; nearly all of a repository's are.
    static final int IN_MEMORY = 128 << 10;

    private static final int PART = 64 << 10;

    private final NativeBuffer memory = NativeBuffer.allocate(IN_MEMORY);
    private Optional<OpenFile> old = Optional.empty();
    private long equal;
    private boolean differs;

    /// Begins with a file of `size` bytes.
    void begin(Directory parent, Bytes name, long size) throws ErrnoException {
        memory.bytes().clear();
        equal = 0;
        differs = false;
        old = size > IN_MEMORY ? Optional.of(parent.openFileAtOnce(name)) : Optional.empty();
    }

    /// Takes a part; false once the old file is known to differ, and the part was not taken then.
    boolean accept(ByteBuffer part) throws ErrnoException {
        if (old.isEmpty()) {
            memory.bytes().put(part.duplicate());
            return true;
        }
        ByteBuffer rest = part.duplicate();
        while (rest.hasRemaining() && !differs) {
            ByteBuffer wanted = rest.slice(rest.position(), Math.min(rest.remaining(), PART));
            differs = !readsAs(old.get(), wanted);
            rest.position(rest.position() + wanted.limit());
        }
        if (!differs) {
            equal += part.remaining();
        }
        return !differs;
    }

    private boolean readsAs(OpenFile file, ByteBuffer wanted) throws ErrnoException {
        ByteBuffer read = memory.bytes().clear().limit(wanted.remaining());
        while (read.hasRemaining()) {
            if (file.read(read) == 0) {
                return false;
            }
        }
        return read.flip().equals(wanted);
    }

    /// Writes what was taken to a new file, when the old one has lost its name.
    void replay(OpenFile file, TakenBytes out) throws ErrnoException {
        if (old.isEmpty()) {
            out.write(file, memory.bytes().flip());
            return;
        }
        OpenFile source = old.get();
        source.rewind();
        long left = equal;
        while (left > 0) {
            ByteBuffer part = memory.bytes().clear().limit((int) Math.min(left, IN_MEMORY));
            if (source.read(part) == 0) {
                throw new ErrnoException(Errno.EIO, "read");
            }
            left -= part.position();
            out.write(file, part.flip());
        }
    }

    /// Where replayed bytes go.
    @FunctionalInterface
    interface TakenBytes {
        void write(OpenFile file, ByteBuffer bytes) throws ErrnoException;
    }

    /// The file is done with.
    void end() {
        old.ifPresent(OpenFile::close);
        old = Optional.empty();
    }

    @Override
    public void close() {
        end();
        memory.close();
    }
}

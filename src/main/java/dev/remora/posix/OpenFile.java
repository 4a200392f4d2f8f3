package dev.remora.posix;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// An open file. It holds a descriptor that commands do not inherit. For one thread at a time.
public final class OpenFile implements AutoCloseable {
    private static final int LOCK_SHARED = 1;
    private static final int LOCK_EXCLUSIVE = 2;
    private static final int LOCK_NO_WAIT = 4;

    private final int descriptor;
    private boolean open = true;

    OpenFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /// Writes all that remains in `bytes`, which is faster from outside the heap. Where it fails, `bytes` begins with
    /// what was not written.
    public void write(ByteBuffer bytes) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            MemorySegment source = MemorySegment.ofBuffer(bytes);
            if (!source.isNative()) {
                MemorySegment copy = libc.allocate(bytes.remaining());
                source = copy.copyFrom(source);
            }
            int start = bytes.position();
            while (bytes.hasRemaining()) {
                int written = bytes.position() - start;
                long more = Calls.write(libc, descriptor, source.address() + written, bytes.remaining());
                bytes.position(bytes.position() + (int) more);
            }
        }
    }

    /// Reads once into `buffer`, which lies outside the heap.
    ///
    /// @return the number of bytes, 0 at the end
    public int read(ByteBuffer buffer) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            long address = MemorySegment.ofBuffer(buffer).address();
            int read = (int) Calls.read(libc, descriptor, address, buffer.remaining());
            buffer.position(buffer.position() + read);
            return read;
        }
    }

    /// The next read begins at the start.
    public void rewind() throws ErrnoException {
        Calls.rewind(descriptor);
    }

    /// Takes the lock of the file (`flock(2)`) until it is closed or the process ends.
    ///
    /// @return false when somebody else has it
    public boolean tryLock() throws ErrnoException {
        return Calls.lock(descriptor, LOCK_EXCLUSIVE | LOCK_NO_WAIT);
    }

    /// As [#tryLock], together with others who share it. An exclusive lock that we hold becomes a shared one.
    public boolean tryShare() throws ErrnoException {
        return Calls.lock(descriptor, LOCK_SHARED | LOCK_NO_WAIT);
    }

    /// As [#tryLock], and waits.
    public void lock() throws ErrnoException {
        Calls.lock(descriptor, LOCK_EXCLUSIVE);
    }

    /// Makes the file `size` bytes long; what is added reads as zeros and takes no space.
    public void resize(long size) throws ErrnoException {
        Calls.resize(descriptor, size);
    }

    /// Sets the permission bits, which moves the time of the last change in any case.
    public void changeMode(int mode) throws ErrnoException {
        Calls.changeMode(descriptor, mode);
    }

    /// Reads a byte of the file's first page through a shared mapping, then writes it there: a change without any call
    /// that says so. The file has at least one byte.
    public void changeThroughMapping() throws ErrnoException {
        Calls.changeThroughMapping(descriptor);
    }

    public FileStatus status() throws ErrnoException {
        return Calls.status(descriptor, Bytes.EMPTY, OpenFlags.AT_EMPTY_PATH);
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            Calls.close(descriptor);
        }
    }
}

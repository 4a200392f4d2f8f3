package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.OpenFile;
import java.util.concurrent.locks.ReentrantLock;

/// The clock by which a file system sets ctime, read by changing a file: it may tick coarsely, run on another machine
/// or have been set. Threads may share it.
final class FileSystemClock implements AutoCloseable {
    private static final Bytes NAME = Bytes.utf8("clock");
    private static final int PRIVATE = 0600;

    private final OpenFile file;
    private final ReentrantLock lock = new ReentrantLock();

    private FileSystemClock(OpenFile file) {
        this.file = file;
    }

    static FileSystemClock in(Directory directory) throws ErrnoException {
        return new FileSystemClock(directory.openOrCreateFile(NAME, PRIVATE));
    }

    /// What is changed after this call has a ctime that is not smaller.
    long now() throws ErrnoException {
        lock.lock();
        try {
            file.changeMode(PRIVATE);
            return file.status().changedNanos();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            file.close();
        } finally {
            lock.unlock();
        }
    }
}

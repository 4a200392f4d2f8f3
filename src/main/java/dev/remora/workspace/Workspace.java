package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import java.util.concurrent.atomic.AtomicBoolean;

/// One request's own folder, empty when it is lent, under a name that nobody can guess. Closing it gives it back to
/// its [WorkRoot], which removes it.
public final class Workspace implements AutoCloseable {
    private final WorkRoot owner;
    private final Bytes name;
    private final Bytes path;
    private final Directory directory;
    private final AtomicBoolean open = new AtomicBoolean(true);

    Workspace(WorkRoot owner, Bytes name, Bytes path, Directory directory) {
        this.owner = owner;
        this.name = name;
        this.path = path;
        this.directory = directory;
    }

    /// Absolute and real: no part of it is a link.
    public Bytes path() {
        return path;
    }

    /// Open as long as the workspace is.
    public Directory dir() {
        return directory;
    }

    /// Moves the folder away instead of giving it back: to `newName` in `place`, on the same file system.
    void moveTo(Directory place, Bytes newName) throws ErrnoException {
        if (open.compareAndSet(true, false)) {
            directory.close();
            owner.move(name, place, newName);
        }
    }

    /// Nothing that was started in it may be alive any more.
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            directory.close();
            owner.giveBack(name, path);
        }
    }
}

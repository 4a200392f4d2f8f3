package dev.remora.workspace;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import java.util.concurrent.atomic.AtomicBoolean;

/// One request's own place, under a name that nobody can guess: `tree`, empty when it is lent, is what its commands
/// work in; `home` and `tmp` lie beside it once they are asked for. Closing it gives all of it back to its
/// [WorkRoot], which removes it.
public final class Workspace implements AutoCloseable {
    private static final Bytes TREE = Bytes.utf8("tree");
    private static final Bytes HOME = Bytes.utf8("home");
    private static final Bytes TMP = Bytes.utf8("tmp");
    private static final int TREE_MODE = 0755;
    private static final int PRIVATE = 0700;

    private final WorkRoot owner;
    private final Bytes name;
    private final Bytes placePath;
    private final Directory place;
    private final Directory tree;
    private final AtomicBoolean open = new AtomicBoolean(true);

    Workspace(WorkRoot owner, Bytes name, Bytes placePath, Directory place, Directory tree) {
        this.owner = owner;
        this.name = name;
        this.placePath = placePath;
        this.place = place;
        this.tree = tree;
    }

    static Directory makeTree(Directory place) throws ErrnoException {
        place.makeDirectory(TREE, TREE_MODE);
        return place.openDirectory(TREE);
    }

    /// Of the tree; absolute and real: no part of it is a link.
    public Bytes path() {
        return placePath.slash(TREE);
    }

    /// The tree, open as long as the workspace is.
    public Directory dir() {
        return tree;
    }

    /// The name that this place has and no other, as long as it is lent.
    public Bytes name() {
        return name;
    }

    /// A folder that only this request uses as its `HOME`: mode 0700, empty at first, gone when this is closed.
    ///
    /// @throws Fault WORKSPACE where it cannot be made
    public Bytes privateHome() {
        return privateFolder(HOME);
    }

    /// As [#privateHome], for `TMPDIR`.
    public Bytes privateTmp() {
        return privateFolder(TMP);
    }

    private Bytes privateFolder(Bytes folder) {
        try {
            place.makeDirectory(folder, PRIVATE);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST) {
                throw new Fault(FaultCode.WORKSPACE, "cannot make " + placePath.slash(folder) + ": " + e.reason(), e);
            }
        }
        return placePath.slash(folder);
    }

    /// Moves the tree away instead of giving it back: to `newName` in `other`, on the same file system.
    void moveTo(Directory other, Bytes newName) throws ErrnoException {
        if (open.compareAndSet(true, false)) {
            try {
                place.rename(TREE, other, newName);
            } finally {
                end();
            }
        }
    }

    /// Nothing that was started in it may be alive any more.
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            end();
        }
    }

    private void end() {
        tree.close();
        place.close();
        owner.giveBack(name, placePath);
    }
}

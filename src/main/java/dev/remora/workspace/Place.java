package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import java.util.Optional;

/// `<root>/<random>` with `tree` in it, both open.
///
/// @param name the random one
/// @param path of the place
record Place(Bytes name, Bytes path, Directory directory, Directory tree) implements AutoCloseable {
    static final int MODE = 0700;
    static final Bytes TREE = Bytes.utf8("tree");
    static final int TREE_MODE = 0755;

    /// Makes `tree` in an empty place.
    static Place in(Bytes name, Bytes path, Directory directory) throws ErrnoException {
        directory.makeDirectory(TREE, TREE_MODE);
        return new Place(name, path, directory, directory.openDirectory(TREE));
    }

    Place named(Bytes newName, Bytes newPath) {
        return new Place(newName, newPath, directory, tree);
    }

    Bytes treePath() {
        return path.slash(TREE);
    }

    /// Makes a folder beside the tree unless it is there.
    void makeBeside(Bytes folder) throws ErrnoException {
        try {
            directory.makeDirectory(folder, MODE);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
    }

    /// Whether the tree still lies where it was made.
    boolean holdsTree() throws ErrnoException {
        FileStatus opened = tree.status();
        Optional<FileStatus> named = directory.find(TREE);
        return named.isPresent()
                && named.get().inode() == opened.inode()
                && named.get().device() == opened.device();
    }

    /// Removes everything beside the tree.
    void emptyBeside() throws ErrnoException {
        if (directory.status().mode() != MODE) {
            directory.changeMode(MODE);
        }
        for (DirectoryEntry entry : directory.list()) {
            if (!entry.name().equals(TREE)) {
                TreeRemoval.remove(directory, entry.name());
            }
        }
    }

    /// Removes everything in the tree.
    void emptyTree() throws ErrnoException {
        for (DirectoryEntry entry : tree.list()) {
            TreeRemoval.remove(tree, entry.name());
        }
    }

    @Override
    public void close() {
        tree.close();
        directory.close();
    }
}

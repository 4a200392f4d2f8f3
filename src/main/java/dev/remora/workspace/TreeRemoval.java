package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileType;
import java.util.Optional;

/// Removes a tree that commands made, whatever they made of it.
///
/// It walks by directory descriptors and never follows a link, so nothing outside the tree is touched. A directory
/// without rights for us (0000, 0500) gets them first. A tree that is deeper than [#MOST_OPEN] would need a
/// descriptor for each level: what lies deeper is moved up to the top and removed from there, so that depth costs
/// nothing.
/// What cannot be removed does not keep the rest from going; the first reason is thrown at the end.
final class TreeRemoval {
    /// Directories open at once.
    static final int MOST_OPEN = 64;

    private static final int ALL_FOR_OWNER = 0700;

    private final Directory top;
    private long removed;
    private long moved;
    private Optional<ErrnoException> failure = Optional.empty();

    private TreeRemoval(Directory top) {
        this.top = top;
    }

    /// Removes `parent/name`, of whatever type; nothing happens when it is not there.
    static void remove(Directory parent, Bytes name) throws ErrnoException {
        Optional<Directory> found = openOrUnlink(parent, name);
        if (found.isEmpty()) {
            return;
        }
        try (Directory top = found.get()) {
            new TreeRemoval(top).empty();
        }
        parent.removeDirectory(name);
    }

    private static Optional<Directory> openOrUnlink(Directory parent, Bytes name) throws ErrnoException {
        try {
            return Optional.of(parent.openDirectoryForcibly(name));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            if (e.errno() != Errno.ENOTDIR && e.errno() != Errno.ELOOP) {
                throw e;
            }
            parent.remove(name);
            return Optional.empty();
        }
    }

    /// Passes until one finds nothing more to do: what was moved up is met by the next.
    private void empty() throws ErrnoException {
        long before;
        do {
            before = removed + moved;
            failure = Optional.empty();
            emptyOnce(top, 1);
        } while (removed + moved > before);
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    private void emptyOnce(Directory directory, int depth) throws ErrnoException {
        directory.visit(entry -> {
            try {
                removeEntry(directory, entry, depth);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.ENOENT) {
                    failure = failure.or(() -> Optional.of(e));
                }
            }
        });
    }

    private void removeEntry(Directory directory, DirectoryEntry entry, int depth) throws ErrnoException {
        if (entry.type() != FileType.DIRECTORY && unlink(directory, entry.name())) {
            return;
        }
        if (depth >= MOST_OPEN) {
            moveUp(directory, entry.name());
            return;
        }
        try (Directory child = opened(directory, entry.name())) {
            emptyOnce(child, depth + 1);
        }
        withRights(directory, () -> directory.removeDirectory(entry.name()));
        removed++;
    }

    /// False when it is a directory after all; file systems need not say so in a listing.
    private boolean unlink(Directory directory, Bytes name) throws ErrnoException {
        try {
            withRights(directory, () -> directory.remove(name));
            removed++;
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EISDIR) {
                return false;
            }
            throw e;
        }
    }

    private void moveUp(Directory directory, Bytes name) throws ErrnoException {
        // Moving a directory rewrites its "..", for which one needs the right to write it.
        try (Directory child = opened(directory, name)) {
            child.changeMode(ALL_FOR_OWNER);
        }
        moved++;
        Bytes newName = Bytes.utf8("remora-removal-" + moved);
        withRights(top, () -> withRights(directory, () -> directory.rename(name, top, newName)));
    }

    /// Who may list a directory need not be allowed to enter it.
    private static Directory opened(Directory directory, Bytes name) throws ErrnoException {
        try {
            return directory.openDirectoryForcibly(name);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EACCES) {
                throw e;
            }
            directory.changeMode(ALL_FOR_OWNER);
            return directory.openDirectoryForcibly(name);
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws ErrnoException;
    }

    /// Gives us the rights to a directory only when they turn out to be missing, which is rare.
    private static void withRights(Directory directory, Step step) throws ErrnoException {
        try {
            step.run();
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EACCES) {
                throw e;
            }
            directory.changeMode(ALL_FOR_OWNER);
            step.run();
        }
    }
}

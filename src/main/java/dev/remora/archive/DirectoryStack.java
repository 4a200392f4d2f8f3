package dev.remora.archive;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.LexicalPath;
import dev.remora.workspace.LinkWalk;
import dev.remora.workspace.TreeRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// The directories between the root and where the last entry went, open. Archives come in the order of a walk, so the
/// next
/// entry mostly lies in the same one or beside it.
///
/// A directory is entered from the one above it, by one name, and only if it is a real one that this unpacking made or
/// adopted: the folder was empty when unpacking began, or the record knows what is old in it ([TreeRecord]).
///
/// Directories whose mode would lock out their owner are made with his rights, and get their mode at the end: entries
/// in
/// them may still come.
final class DirectoryStack implements AutoCloseable {
    /// Directories that wait for their mode, and the bytes of their names.
    private static final int MOST_WAITING = 100_000;
    private static final long MOST_WAITING_BYTES = 8 << 20;
    /// The longest path that a command can use.
    private static final int PATH_MAX = 4096;

    private static final int OWNER = 0700;
    private static final int SPECIAL_BITS = 07000;

    private record Waiting(List<Bytes> place, int mode) {}

    private final Directory root;
    private final Bytes destination;
    private final UnpackOptions options;
    private final TreeRecord record;
    private final List<Bytes> place = new ArrayList<>();
    private final List<Bytes> readablePlace = Collections.unmodifiableList(place);
    private final List<Directory> open = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private long waitingBytes;
    private long made;

    DirectoryStack(Directory root, Bytes destination, UnpackOptions options, TreeRecord record) {
        this.root = root;
        this.destination = destination;
        this.options = options;
        this.record = record;
    }

    /// Where the directory that was entered last really lies.
    List<Bytes> place() {
        return List.copyOf(place);
    }

    /// As [#place], for looking only: it changes with the next directory.
    List<Bytes> here() {
        return readablePlace;
    }

    /// The directory at `wanted`.
    ///
    /// @param entry for whom, in messages
    /// @throws Fault where something on the way is no real directory
    /// @throws ErrnoException ENOENT where it does not exist
    Directory enter(List<Bytes> wanted, EntryPath entry) throws ErrnoException {
        return walk(wanted, Optional.empty(), entry);
    }

    /// As [#enter], and makes what is missing.
    Directory enterMaking(List<Bytes> wanted, int mode, EntryPath entry) throws ErrnoException {
        return walk(wanted, Optional.of(mode), entry);
    }

    /// Makes a directory, and those above it with the same mode; one that exists keeps its own.
    void make(EntryPath path, int mode) {
        try {
            Directory parent = enterMaking(path.parent(), mode, path);
            makeIn(parent, path.name(), mode, path);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST || !isDirectory(path)) {
                int errno = e.errno() == Errno.EEXIST ? Errno.ENOTDIR : e.errno();
                ErrnoException reason = new ErrnoException(errno, "mkdir");
                throw SinkFault.of("error creating nested folders", shown(path), reason);
            }
        }
    }

    private boolean isDirectory(EntryPath path) {
        try {
            Directory parent = enter(path.parent(), path);
            FileStatus status = parent.status(path.name());
            if (!status.isSymlink() || !options.throughLinks()) {
                return status.isDirectory();
            }
            Directory _ = enter(path.components(), path);
            return true;
        } catch (ErrnoException e) {
            return false;
        }
    }

    /// One more file, directory or link is about to be made.
    void count(EntryPath entry) {
        made++;
        if (ArchiveLimits.above(made, options.limits().files())) {
            throw LimitFault.of(
                    entry.path(), "is one of more than " + options.limits().files() + " entries", "files");
        }
        if (entry.path().length() + destination.length() + 1 >= PATH_MAX) {
            throw SinkFault.of("error creating file", entry.path(), new ErrnoException(Errno.ENAMETOOLONG, "open"));
        }
    }

    private Directory walk(List<Bytes> wanted, Optional<Integer> mode, EntryPath entry) throws ErrnoException {
        int same = 0;
        while (same < place.size() && same < wanted.size() && place.get(same).equals(wanted.get(same))) {
            same++;
        }
        leaveTo(same);
        for (Bytes name : wanted.subList(same, wanted.size())) {
            step(name, mode, entry);
        }
        return innermost();
    }

    private void step(Bytes name, Optional<Integer> mode, EntryPath entry) throws ErrnoException {
        if (record.isOld(place, name)) {
            if (mode.isEmpty()) {
                throw new ErrnoException(Errno.ENOENT, "open " + name);
            }
            makeIn(innermost(), name, mode.get(), entry);
        }
        try {
            push(name, innermost().openDirectory(name));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT && mode.isPresent()) {
                makeIn(innermost(), name, mode.get(), entry);
                push(name, innermost().openDirectory(name));
            } else if (e.errno() == Errno.ENOTDIR || e.errno() == Errno.ELOOP) {
                stepThroughLink(name, entry, e);
            } else {
                throw e;
            }
        }
    }

    private void stepThroughLink(Bytes name, EntryPath entry, ErrnoException e) throws ErrnoException {
        if (!innermost().status(name).isSymlink()) {
            throw SinkFault.of("error creating nested folders", shown(entry), e);
        }
        if (!options.throughLinks()) {
            throw new Fault(
                    FaultCode.ARCHIVE_INVALID,
                    "illegal filepath in archive: " + shown(entry) + " lies below the link " + name,
                    e);
        }
        List<Bytes> link = new ArrayList<>(place);
        link.add(name);
        List<Bytes> real = LinkWalk.real(root, link).orElseThrow(() -> e);
        walk(real, Optional.empty(), entry);
    }

    private void makeIn(Directory parent, Bytes name, int mode, EntryPath entry) throws ErrnoException {
        count(entry);
        if (record.adoptDirectory(parent, place, name, mode)) {
            if ((mode & OWNER) != OWNER) {
                giveOwnersRights(parent, name);
            }
        } else {
            SpaceNeed.with(record, () -> parent.makeDirectory(name, mode | OWNER));
            record.madeDirectory(place, name, mode);
        }
        if ((mode & OWNER) != OWNER) {
            List<Bytes> waitingPlace = new ArrayList<>(place);
            waitingPlace.add(name);
            waitForMode(new Waiting(List.copyOf(waitingPlace), mode), entry);
        }
    }

    private static void giveOwnersRights(Directory parent, Bytes name) throws ErrnoException {
        try (Directory directory = parent.openDirectoryForcibly(name)) {
            directory.changeMode(directory.status().mode() | OWNER);
        }
    }

    private void waitForMode(Waiting directory, EntryPath entry) {
        waiting.add(directory);
        waitingBytes += entry.path().length();
        if (waiting.size() > MOST_WAITING || waitingBytes > MOST_WAITING_BYTES) {
            throw new Fault(
                    FaultCode.ARCHIVE_LIMIT,
                    "archive entry \"" + entry + "\" is one of too many directories without rights for their owner");
        }
    }

    /// Children before their parents, so that each can still be reached.
    void finish() {
        for (Waiting directory : waiting.reversed()) {
            EntryPath entry = new EntryPath(directory.place());
            try {
                Directory found = enter(directory.place(), entry);
                // What mkdir gave is the mode less the umask.
                found.changeMode(found.status().mode() & (directory.mode() | SPECIAL_BITS));
                record.modeSet(directory.place(), found.status());
            } catch (ErrnoException e) {
                throw SinkFault.of("error setting the mode of", shown(entry), e);
            }
        }
        waiting.clear();
    }

    private Bytes shown(EntryPath entry) {
        return LexicalPath.join(destination, entry.components());
    }

    private Directory innermost() {
        return open.isEmpty() ? root : open.getLast();
    }

    private void push(Bytes name, Directory directory) {
        place.add(name);
        open.add(directory);
    }

    private void leaveTo(int depth) {
        while (open.size() > depth) {
            open.removeLast().close();
            place.removeLast();
        }
    }

    @Override
    public void close() {
        leaveTo(0);
    }
}

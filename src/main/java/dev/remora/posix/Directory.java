package dev.remora.posix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An open directory. Everything is named relative to it, by one name, and no link is followed unless the method says
/// so: whoever walks by directories cannot be led elsewhere by what changes meanwhile.
///
/// It holds a descriptor that commands do not inherit; any thread may use it, but only one at a time may [#visit].
public final class Directory implements AutoCloseable {
    private static final int DEFAULT_FLAGS = OpenFlags.READ | OpenFlags.DIRECTORY | OpenFlags.CLOSE_ON_EXEC;
    private static final int NAME_MAX_FOR_LINKS = 4096;
    private static final int ENTRIES_BUFFER = 32 << 10;
    private static final int ENTRY_NAME = 19;

    private final int descriptor;
    private boolean open = true;

    int descriptor() {
        return descriptor;
    }

    private Directory(int descriptor) {
        this.descriptor = descriptor;
    }

    /// Follows links in `path`.
    public static Directory open(Bytes path) throws ErrnoException {
        return new Directory(Calls.openAt(OpenFlags.AT_CWD, path, DEFAULT_FLAGS, 0));
    }

    /// Of what `path` names, a link as such; links on the way are followed.
    public static FileStatus statusAt(Bytes path) throws ErrnoException {
        return Calls.status(OpenFlags.AT_CWD, path, OpenFlags.AT_SYMLINK_NOFOLLOW);
    }

    /// The text of the link at `path`.
    public static Bytes readLinkAt(Bytes path) throws ErrnoException {
        return Calls.readLink(OpenFlags.AT_CWD, path, NAME_MAX_FOR_LINKS);
    }

    /// The real path of whatever `path` leads to, file or folder, without opening it.
    public static Bytes realPathAt(Bytes path) throws ErrnoException {
        int found = Calls.openAt(OpenFlags.AT_CWD, path, OpenFlags.PATH_ONLY | OpenFlags.CLOSE_ON_EXEC, 0);
        try {
            return Calls.readLink(OpenFlags.AT_CWD, throughProc(found), NAME_MAX_FOR_LINKS);
        } finally {
            Calls.close(found);
        }
    }

    /// Makes a directory by its path, whose links are followed.
    public static void make(Bytes path, int mode) throws ErrnoException {
        Calls.makeDirectory(OpenFlags.AT_CWD, path, mode);
    }

    /// The directory's real path, without links.
    public Bytes realPath() throws ErrnoException {
        return Calls.readLink(OpenFlags.AT_CWD, throughProc(descriptor), NAME_MAX_FOR_LINKS);
    }

    /// The directory `name`; a link to one is refused with ENOTDIR or ELOOP.
    public Directory openDirectory(Bytes name) throws ErrnoException {
        return new Directory(Calls.openAt(descriptor, name, DEFAULT_FLAGS | OpenFlags.NO_FOLLOW, 0));
    }

    /// As [#openDirectory], only to name what lies in it: needs no right to read it, and cannot list it.
    public Directory openForSearch(Bytes name) throws ErrnoException {
        int flags = OpenFlags.PATH_ONLY | OpenFlags.DIRECTORY | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;
        return new Directory(Calls.openAt(descriptor, name, flags, 0));
    }

    /// As [#openDirectory], also where our rights to read it are missing but may be given: sets the owner's rights.
    public Directory openDirectoryForcibly(Bytes name) throws ErrnoException {
        try {
            return openDirectory(name);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EACCES) {
                throw e;
            }
        }
        int flags = OpenFlags.PATH_ONLY | OpenFlags.DIRECTORY | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;
        int found = Calls.openAt(descriptor, name, flags, 0);
        try {
            // chmod(2) by name would follow a link that took the name's place; this reaches what was opened.
            Calls.changeMode(throughProc(found), OWNER_ONLY);
        } finally {
            Calls.close(found);
        }
        return openDirectory(name);
    }

    private static final int OWNER_ONLY = 0700;

    private static Bytes throughProc(int descriptor) {
        return Bytes.utf8("/proc/self/fd/" + descriptor);
    }

    public void makeDirectory(Bytes name, int mode) throws ErrnoException {
        Calls.makeDirectory(descriptor, name, mode);
    }

    /// For writing, made or emptied; a link in its place is refused with ELOOP.
    public OpenFile createFile(Bytes name, int mode) throws ErrnoException {
        int flags =
                OpenFlags.WRITE | OpenFlags.CREATE | OpenFlags.TRUNCATE | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;
        return new OpenFile(Calls.openAt(descriptor, name, flags, mode));
    }

    /// For reading and writing, made if it is not there, never emptied.
    public OpenFile openOrCreateFile(Bytes name, int mode) throws ErrnoException {
        int flags = OpenFlags.READ_WRITE | OpenFlags.CREATE | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;
        return new OpenFile(Calls.openAt(descriptor, name, flags, mode));
    }

    /// For reading; a link is refused with ELOOP.
    public OpenFile openFile(Bytes name) throws ErrnoException {
        int flags = OpenFlags.READ | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;
        return new OpenFile(Calls.openAt(descriptor, name, flags, 0));
    }

    /// As [#openFile]; a pipe that took the file's place does not make us wait.
    public OpenFile openFileAtOnce(Bytes name) throws ErrnoException {
        int flags = OpenFlags.READ | OpenFlags.NO_FOLLOW | OpenFlags.NON_BLOCKING | OpenFlags.CLOSE_ON_EXEC;
        return new OpenFile(Calls.openAt(descriptor, name, flags, 0));
    }

    public void makeLink(Bytes name, Bytes text) throws ErrnoException {
        Calls.symlink(text, descriptor, name);
    }

    public Bytes readLink(Bytes name) throws ErrnoException {
        return Calls.readLink(descriptor, name, NAME_MAX_FOR_LINKS);
    }

    /// Removes a file or link.
    public void remove(Bytes name) throws ErrnoException {
        Calls.unlink(descriptor, name, 0);
    }

    /// Removes an empty directory.
    public void removeDirectory(Bytes name) throws ErrnoException {
        Calls.unlink(descriptor, name, OpenFlags.AT_REMOVEDIR);
    }

    public void rename(Bytes name, Directory to, Bytes newName) throws ErrnoException {
        Calls.rename(descriptor, name, to.descriptor, newName);
    }

    /// Of the directory itself.
    public FileStatus status() throws ErrnoException {
        return Calls.status(descriptor, Bytes.EMPTY, OpenFlags.AT_EMPTY_PATH);
    }

    /// Of `name`, a link as such.
    public FileStatus status(Bytes name) throws ErrnoException {
        return Calls.status(descriptor, name, OpenFlags.AT_SYMLINK_NOFOLLOW);
    }

    /// Of what `name` leads to, links followed.
    public FileStatus statusFollowing(Bytes name) throws ErrnoException {
        return Calls.status(descriptor, name, 0);
    }

    /// As [#status(Bytes)], empty when there is no such name.
    public Optional<FileStatus> find(Bytes name) throws ErrnoException {
        try {
            return Optional.of(status(name));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// Sets the 12 permission bits of the directory itself.
    public void changeMode(int mode) throws ErrnoException {
        Calls.changeMode(descriptor, mode);
    }

    /// The names of the directory's extended attributes, with a NUL behind each; access control lists are among them.
    public Bytes attributeNames() throws ErrnoException {
        return Calls.attributeNames(descriptor);
    }

    /// Everything in it but `.` and `..`, in the file system's order.
    public List<DirectoryEntry> list() throws ErrnoException {
        List<DirectoryEntry> entries = new ArrayList<>();
        visit(entries::add);
        return entries;
    }

    /// Called for each entry; may remove it.
    @FunctionalInterface
    public interface Visitor {
        void visit(DirectoryEntry entry) throws ErrnoException;
    }

    /// As [#list], in constant memory.
    public void visit(Visitor visitor) throws ErrnoException {
        Calls.rewind(descriptor);
        try (Libc libc = Libc.open()) {
            MemorySegment buffer = libc.buffer(ENTRIES_BUFFER);
            while (true) {
                long filled = Calls.entries(libc, descriptor, buffer);
                if (filled == 0) {
                    return;
                }
                for (DirectoryEntry entry : decode(buffer, filled)) {
                    visitor.visit(entry);
                }
            }
        }
    }

    private static List<DirectoryEntry> decode(MemorySegment buffer, long filled) {
        List<DirectoryEntry> entries = new ArrayList<>();
        long at = 0;
        while (at < filled) {
            int length = buffer.get(ValueLayout.JAVA_SHORT, at + 16) & 0xFFFF;
            FileType type = FileType.ofEntry(buffer.get(ValueLayout.JAVA_BYTE, at + 18));
            Bytes name = nameAt(buffer, at + ENTRY_NAME, at + length);
            if (!name.equals(HERE) && !name.equals(UP)) {
                entries.add(new DirectoryEntry(name, type));
            }
            at += length;
        }
        return entries;
    }

    private static final Bytes HERE = Bytes.utf8(".");
    private static final Bytes UP = Bytes.utf8("..");

    private static Bytes nameAt(MemorySegment buffer, long from, long to) {
        long end = from;
        while (end < to && buffer.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        return Libc.bytes(buffer, from, end - from);
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            Calls.close(descriptor);
        }
    }
}

package dev.remora.archive;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.LexicalPath;
import dev.remora.posix.OpenFile;
import dev.remora.workspace.LinkWalk;
import dev.remora.workspace.Workspace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writes entries into an empty directory. It names everything by one name below an open directory and follows no
/// link ([DirectoryStack]); so whatever the archive, nothing is written outside.
public final class WorkspaceSink implements EntrySink {
    private static final int FILE_MODE = 0644;
    private static final int DIRECTORY_MODE = 0755;
    private static final int PERMISSIONS = 0777;
    /// Links behind one another at a file's name; the kernel's own number.
    private static final int MOST_LINKS = 40;

    private final Bytes destination;
    private final UnpackOptions options;
    private final Directory root;
    private final DirectoryStack directories;
    private Optional<OpenFile> current = Optional.empty();
    private Bytes currentName = Bytes.EMPTY;

    public WorkspaceSink(Workspace workspace, UnpackOptions options) {
        this(workspace.dir(), workspace.path(), options);
    }

    /// @param root stays the caller's to close
    /// @param destination the root's path, for messages
    public WorkspaceSink(Directory root, Bytes destination, UnpackOptions options) {
        this.destination = destination;
        this.options = options;
        this.root = root;
        this.directories = new DirectoryStack(root, destination, options);
    }

    @Override
    public Bytes destination() {
        return destination;
    }

    @Override
    public void directory(EntryPath path, int mode) {
        directories.make(path, options.preserveFileMode() ? mode & PERMISSIONS : DIRECTORY_MODE);
    }

    @Override
    public void symlink(EntryPath path, Bytes target) {
        try {
            Directory parent = directories.enter(path.parent(), path);
            Bytes text = options.keepLinkText() ? keptText(path, target) : rewrittenText(path, target);
            directories.count(path);
            parent.makeLink(path.name(), text);
        } catch (ErrnoException e) {
            throw SinkFault.of("error creating symlink", shown(path), e);
        }
    }

    private Bytes keptText(EntryPath path, Bytes target) {
        LinkPlace place = place(path, target);
        return place.keepable() ? target : LinkPlace.relative(directories.place(), place.parts());
    }

    /// As Argo CD does: what the text leads to now, links followed, as seen from the link.
    private Bytes rewrittenText(EntryPath path, Bytes target) {
        LinkPlace place = place(path, target);
        List<Bytes> real;
        try {
            real = LinkWalk.real(root, place.parts()).orElse(place.parts());
        } catch (ErrnoException e) {
            String reason = e.errno() == Errno.ELOOP ? "EvalSymlinks: too many links" : e.reason();
            throw new Fault(FaultCode.ARCHIVE_INVALID, "error checking symlink realpath: " + reason, e);
        }
        if (real.isEmpty()) {
            throw illegalLink(path, target);
        }
        return LinkPlace.relative(directories.place(), real);
    }

    /// Seen from where the link really lies, which differs from its name where entries may pass through links.
    private LinkPlace place(EntryPath path, Bytes target) {
        return LinkPlace.of(directories.place(), target).orElseThrow(() -> illegalLink(path, target));
    }

    private Fault illegalLink(EntryPath path, Bytes target) {
        Bytes candidate = LexicalPath.join(destination, path.parent()).slash(target);
        return new Fault(FaultCode.ARCHIVE_INVALID, "illegal filepath in symlink: " + LexicalPath.clean(candidate));
    }

    @Override
    public void file(EntryPath path, int mode, long size) {
        int wanted = options.preserveFileMode() ? mode & PERMISSIONS : FILE_MODE;
        currentName = shown(path);
        try {
            Directory parent = directories.enterMaking(path.parent(), DIRECTORY_MODE, path);
            directories.count(path);
            current = Optional.of(create(parent, path, wanted));
        } catch (ErrnoException e) {
            throw SinkFault.of("error creating file", currentName, e);
        }
    }

    private OpenFile create(Directory parent, EntryPath path, int mode) throws ErrnoException {
        try {
            return parent.createFile(path.name(), mode);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ELOOP) {
                throw e;
            }
            if (!options.throughLinks()) {
                throw new Fault(
                        FaultCode.ARCHIVE_INVALID,
                        "illegal filepath in archive: " + shown(path) + " would be written through a link",
                        e);
            }
            return createBehindLink(path, mode, e);
        }
    }

    /// Follows links by hand, from directory to directory, until a name is none.
    private OpenFile createBehindLink(EntryPath path, int mode, ErrnoException loop) throws ErrnoException {
        List<Bytes> place = new ArrayList<>(directories.place());
        place.add(path.name());
        for (int links = 0; links < MOST_LINKS; links++) {
            List<Bytes> holder = List.copyOf(place.subList(0, place.size() - 1));
            Bytes text = directories.enter(holder, path).readLink(place.getLast());
            EntryPath next = LinkPlace.of(directories.place(), text)
                    .filter(found -> !found.isRoot())
                    .map(found -> new EntryPath(found.parts()))
                    .orElseThrow(() -> illegalLink(path, text));
            Directory parent = directories.enter(next.parent(), path);
            try {
                return parent.createFile(next.name(), mode);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.ELOOP) {
                    throw e;
                }
                place = new ArrayList<>(directories.place());
                place.add(next.name());
            }
        }
        throw loop;
    }

    @Override
    public void content(ByteBuffer part) {
        try {
            current.orElseThrow().write(part);
        } catch (ErrnoException e) {
            throw SinkFault.of("error writing file", currentName, e);
        }
    }

    @Override
    public void fileEnd() {
        current.ifPresent(OpenFile::close);
        current = Optional.empty();
    }

    @Override
    public void dropped(EntryPath path, char type) {
        if (options.strict()) {
            throw new Fault(
                    FaultCode.ARCHIVE_INVALID,
                    "archive entry \"" + path + "\" is a " + DroppedType.words(type)
                            + ", which is not unpacked (--strict-archive)");
        }
    }

    @Override
    public void finish() {
        directories.finish();
    }

    private Bytes shown(EntryPath path) {
        return LexicalPath.join(destination, path.components());
    }

    @Override
    public void close() {
        fileEnd();
        directories.close();
    }
}

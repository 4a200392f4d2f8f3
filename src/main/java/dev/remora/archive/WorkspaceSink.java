package dev.remora.archive;

import dev.remora.digest.Sha256;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.LexicalPath;
import dev.remora.posix.OpenFile;
import dev.remora.workspace.LinkWalk;
import dev.remora.workspace.TreeRecord;
import dev.remora.workspace.Workspace;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writes entries into a directory that is empty, or whose old entries a [TreeRecord] knows: then only what differs is
/// written. It names everything by one name below an open directory and follows no link ([DirectoryStack]); so whatever
/// the archive, nothing is written outside.
public final class WorkspaceSink implements EntrySink {
    private static final int FILE_MODE = 0644;
    private static final int DIRECTORY_MODE = 0755;
    private static final int PERMISSIONS = 0777;
    /// Links behind one another at a file's name; the kernel's own number.
    private static final int MOST_LINKS = 40;

    private final Bytes destination;
    private final UnpackOptions options;
    private final Directory root;
    private final TreeRecord record;
    private final DirectoryStack directories;
    private final MessageDigest sha256 = Sha256.digest();
    private Optional<FileComparison> comparison = Optional.empty();
    private Optional<OldFile> old = Optional.empty();
    private Optional<OpenFile> current = Optional.empty();
    private EntryPath currentPath = new EntryPath(List.of(Bytes.EMPTY));
    private int currentMode;
    private Bytes lastDigest = Bytes.EMPTY;

    /// An old file that is being compared.
    private record OldFile(Directory parent, Bytes sha256) {}

    public WorkspaceSink(Workspace workspace, UnpackOptions options) {
        this(workspace.dir(), workspace.path(), options, record(workspace, options));
    }

    /// @param root stays the caller's to close
    /// @param destination the root's path, for messages
    public WorkspaceSink(Directory root, Bytes destination, UnpackOptions options) {
        this(root, destination, options, TreeRecord.NONE);
    }

    private WorkspaceSink(Directory root, Bytes destination, UnpackOptions options, TreeRecord record) {
        this.destination = destination;
        this.options = options;
        this.root = root;
        this.record = record;
        this.directories = new DirectoryStack(root, destination, options, record);
    }

    /// Where entries pass through links, their names say little; where links are rewritten, their text depends on what
    /// else is there.
    private static TreeRecord record(Workspace workspace, UnpackOptions options) {
        if (options.throughLinks()) {
            workspace.unrecorded();
            return TreeRecord.NONE;
        }
        return options.keepLinkText() ? workspace.record() : workspace.recordAfresh();
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
            if (!record.adoptLink(parent, directories.here(), path.name(), text)) {
                SpaceNeed.with(record, () -> parent.makeLink(path.name(), text));
                record.madeLink(parent, directories.here(), path.name(), text);
            }
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
        currentMode = options.preserveFileMode() ? mode & PERMISSIONS : FILE_MODE;
        currentPath = path;
        sha256.reset();
        try {
            Directory parent = directories.enterMaking(path.parent(), DIRECTORY_MODE, path);
            directories.count(path);
            Optional<Bytes> there = record.oldFile(parent, directories.here(), path.name(), currentMode, size);
            if (there.isPresent()) {
                FileComparison begun = comparison.orElseGet(FileComparison::new);
                comparison = Optional.of(begun);
                begun.begin(parent, path.name(), size);
                old = there.map(digest -> new OldFile(parent, digest));
            } else {
                create(parent);
            }
        } catch (ErrnoException e) {
            throw SinkFault.of("error creating file", shown(path), e);
        }
    }

    private void create(Directory parent) throws ErrnoException {
        SpaceNeed.with(record, () -> current = Optional.of(create(parent, currentPath, currentMode)));
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
        if (record.keeps()) {
            sha256.update(part.duplicate());
        }
        try {
            if (old.isEmpty()) {
                write(current.orElseThrow(), part);
            } else if (!comparison.orElseThrow().accept(part)) {
                replaceOld();
                write(current.orElseThrow(), part);
            }
        } catch (ErrnoException e) {
            throw SinkFault.of("error writing file", shown(currentPath), e);
        }
    }

    private void write(OpenFile file, ByteBuffer bytes) throws ErrnoException {
        SpaceNeed.with(record, () -> file.write(bytes));
    }

    /// The old file differs: another takes its name, and gets what was equal so far.
    private void replaceOld() throws ErrnoException {
        Directory parent = old.orElseThrow().parent();
        old = Optional.empty();
        record.dropFile(parent, directories.here(), currentPath.name());
        create(parent);
        comparison.orElseThrow().replay(current.orElseThrow(), this::write);
    }

    @Override
    public void fileEnd() {
        try {
            Bytes digest = Bytes.of(sha256.digest());
            lastDigest = digest;
            if (old.isPresent() && old.get().sha256().equals(digest)) {
                record.adoptFile(directories.here(), currentPath.name());
            } else {
                if (old.isPresent()) {
                    replaceOld();
                }
                record.madeFile(
                        directories.here(),
                        currentPath.name(),
                        currentMode,
                        digest,
                        current.orElseThrow().status());
            }
        } catch (ErrnoException e) {
            throw SinkFault.of("error writing file", shown(currentPath), e);
        } finally {
            letGo();
        }
    }

    @Override
    public boolean digestsContent() {
        return record.keeps();
    }

    @Override
    public Bytes contentDigest() {
        return lastDigest;
    }

    private void letGo() {
        current.ifPresent(OpenFile::close);
        current = Optional.empty();
        old = Optional.empty();
        comparison.ifPresent(FileComparison::end);
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
        try {
            record.finish(root);
        } catch (ErrnoException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot remove what is old in " + destination + ": " + e.reason(), e);
        }
        directories.finish();
    }

    private Bytes shown(EntryPath path) {
        return LexicalPath.join(destination, path.components());
    }

    @Override
    public void close() {
        letGo();
        comparison.ifPresent(FileComparison::close);
        directories.close();
    }
}

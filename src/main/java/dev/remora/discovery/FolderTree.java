package dev.remora.discovery;

import dev.remora.glob.CleanPath;
import dev.remora.glob.GlobTree;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.FileType;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A real folder, seen below [Place#ROOT]; nothing beside it exists.
final class FolderTree implements GlobTree {
    private static final List<Bytes> ABOVE = List.of(CleanPath.ROOT, Place.BASE);

    private final Bytes root;

    /// @param root the folder's absolute path
    FolderTree(Bytes root) {
        this.root = root;
    }

    @Override
    public Look stat(Bytes path) {
        return look(path, true);
    }

    @Override
    public Look lstat(Bytes path) {
        return look(path, false);
    }

    @Override
    public Optional<String> list(Bytes directory, Visitor visitor) {
        Bytes clean = LexicalPath.clean(directory);
        int above = ABOVE.indexOf(clean);
        if (above >= 0) {
            visitor.entry(LexicalPath.parts(Place.ROOT).get(above), Kind.DIRECTORY);
            return Optional.empty();
        }
        Optional<Bytes> real = real(clean);
        if (real.isEmpty()) {
            return Optional.of(NO_SUCH_FILE);
        }
        try (Directory opened = Directory.open(real.get())) {
            var entries = new ArrayList<>(opened.list());
            entries.sort(Comparator.comparing(DirectoryEntry::name));
            for (DirectoryEntry entry : entries) {
                if (!visitor.entry(entry.name(), kind(opened, entry))) {
                    break;
                }
            }
            return Optional.empty();
        } catch (ErrnoException e) {
            return Optional.of(e.reason());
        }
    }

    private static Kind kind(Directory directory, DirectoryEntry entry) throws ErrnoException {
        FileType known = entry.type();
        return kind(known == FileType.UNKNOWN ? directory.status(entry.name()).type() : known);
    }

    private static Kind kind(FileType type) {
        return switch (type) {
            case DIRECTORY -> Kind.DIRECTORY;
            case SYMLINK -> Kind.LINK;
            case REGULAR, FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE, UNKNOWN -> Kind.OTHER;
        };
    }

    private Look look(Bytes path, boolean followLast) {
        Bytes clean = LexicalPath.clean(path);
        if (ABOVE.contains(clean)) {
            return new Look.Found(Kind.DIRECTORY);
        }
        Optional<Bytes> real = real(clean);
        if (real.isEmpty()) {
            return new Look.Failed(NO_SUCH_FILE);
        }
        if (path.indexOf((byte) 0, 0) >= 0) {
            return new Look.Failed("invalid argument");
        }
        try (Directory top = Directory.open(CleanPath.ROOT)) {
            FileStatus status = followLast ? top.statusFollowing(real.get()) : top.status(real.get());
            return new Look.Found(kind(status.type()));
        } catch (ErrnoException e) {
            return new Look.Failed(e.reason());
        }
    }

    /// The real path; none outside the root.
    private Optional<Bytes> real(Bytes clean) {
        if (clean.equals(Place.ROOT)) {
            return Optional.of(root);
        }
        return clean.startsWith(Place.ROOT.plus(CleanPath.ROOT))
                ? Optional.of(root.plus(clean.slice(Place.ROOT.length(), clean.length())))
                : Optional.empty();
    }
}

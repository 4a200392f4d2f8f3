package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.LexicalPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Follows links below a root as the kernel would, but by hand: one directory is opened after another without
/// following anything, link texts are read and walked in turn, and the walk cannot leave the root. So there is
/// nothing to race against.
public final class LinkWalk implements AutoCloseable {
    /// Links on one way, as in Go's `filepath.EvalSymlinks`.
    static final int MOST_LINKS = 255;

    private final Directory root;
    private final boolean clamp;
    private final List<Directory> opened = new ArrayList<>();
    private final List<Bytes> place = new ArrayList<>();
    private final Deque<Bytes> ahead = new ArrayDeque<>();
    private boolean missing;

    private LinkWalk(Directory root, boolean clamp, List<Bytes> parts) {
        this.root = root;
        this.clamp = clamp;
        this.ahead.addAll(parts);
    }

    /// The parts of the real place of `path`: `..` stops at the root, and absolute links start there. What does not
    /// exist, or lies below a file, is kept as it is written.
    ///
    /// @throws ErrnoException ELOOP after [#MOST_LINKS] links, or what the kernel says
    public static List<Bytes> clamped(Directory root, Bytes path) throws ErrnoException {
        try (LinkWalk walk = new LinkWalk(root, true, LexicalPath.parts(path))) {
            return walk.run();
        }
    }

    /// The parts of the real place of something that exists; empty if it, or what a link on the way names, does not.
    ///
    /// @throws ErrnoException ELOOP after [#MOST_LINKS] links; ENOTDIR for a way through a file; EXDEV for a
    ///     way out of the root
    public static Optional<List<Bytes>> real(Directory root, List<Bytes> parts) throws ErrnoException {
        try (LinkWalk walk = new LinkWalk(root, false, parts)) {
            List<Bytes> found = walk.run();
            return walk.missing ? Optional.empty() : Optional.of(found);
        }
    }

    private List<Bytes> run() throws ErrnoException {
        int links = 0;
        while (!ahead.isEmpty() && !(missing && !clamp)) {
            Bytes part = ahead.removeFirst();
            if (LexicalPath.isUp(part)) {
                up();
            } else if (follow(part)) {
                links++;
                if (links > MOST_LINKS) {
                    throw new ErrnoException(Errno.ELOOP, "readlink " + part);
                }
            }
        }
        return List.copyOf(place);
    }

    private void up() throws ErrnoException {
        if (place.isEmpty()) {
            if (!clamp) {
                throw new ErrnoException(Errno.EXDEV, "..");
            }
            return;
        }
        place.removeLast();
        if (opened.size() > place.size()) {
            opened.removeLast().close();
        }
        missing = missing && opened.size() < place.size();
    }

    /// One step to `part`; true if it was a link, whose text now lies ahead.
    private boolean follow(Bytes part) throws ErrnoException {
        Optional<FileStatus> status = missing ? Optional.empty() : here().find(part);
        if (status.isEmpty()) {
            missing = true;
            place.add(part);
            return false;
        }
        if (status.get().isSymlink()) {
            turn(here().readLink(part));
            return true;
        }
        place.add(part);
        if (status.get().isDirectory()) {
            opened.add(here().openDirectory(part));
        } else if (!ahead.isEmpty()) {
            if (!clamp) {
                throw new ErrnoException(Errno.ENOTDIR, part.toString());
            }
            missing = true;
        }
        return false;
    }

    private void turn(Bytes text) throws ErrnoException {
        if (LexicalPath.isAbsolute(text)) {
            if (!clamp) {
                throw new ErrnoException(Errno.EXDEV, text.toString());
            }
            place.clear();
            closeOpened();
        }
        for (Bytes part : LexicalPath.parts(text).reversed()) {
            ahead.addFirst(part);
        }
    }

    private Directory here() {
        return opened.isEmpty() ? root : opened.getLast();
    }

    private void closeOpened() {
        opened.forEach(Directory::close);
        opened.clear();
    }

    @Override
    public void close() {
        closeOpened();
    }
}

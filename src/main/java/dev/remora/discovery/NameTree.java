package dev.remora.discovery;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.glob.GlobTree;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// The names of an archive as a tree that behaves as the unpacked folder would, links included, below [Place#ROOT].
///
/// A link's text is read from the folder that holds it, an absolute one too, since that is what unpacking makes of it.
final class NameTree implements GlobTree {
    /// Links on one way, as in Linux.
    private static final int MOST_LINKS = 40;

    /// Links on the way to an application's folder, as in Go.
    private static final int MOST_LINKS_OF_GO = 255;

    private static final int NAME_MAX = 255;

    private final NameNodes nodes;
    private final int archive;

    NameTree(int mostBytes) {
        nodes = new NameNodes(mostBytes);
        int at = nodes.add(NameNodes.NONE, NameNodes.DIRECTORY, Bytes.EMPTY, Bytes.EMPTY);
        for (Bytes part : LexicalPath.parts(Place.ROOT)) {
            at = nodes.add(at, NameNodes.DIRECTORY, part, Bytes.EMPTY);
        }
        archive = at;
    }

    NameNodes nodes() {
        return nodes;
    }

    /// The archive's own root.
    int archive() {
        return archive;
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
    public boolean alwaysListable() {
        return true;
    }

    @Override
    public Optional<String> list(Bytes directory, Visitor visitor) {
        var walk = new Walk(LexicalPath.parts(directory), true);
        int node = walk.run();
        if (node == NameNodes.NONE) {
            return Optional.of(walk.failure);
        }
        nodes.children(node, child -> visitor.entry(nodes.name(child), kind(child)));
        return Optional.empty();
    }

    /// The directory that a link leads to; none if that is no directory.
    int behind(int link) {
        var all = new ArrayList<>(LexicalPath.parts(Place.ROOT));
        all.addAll(target(link));
        int node = new Walk(all, true).run();
        return node != NameNodes.NONE && nodes.kind(node) == NameNodes.DIRECTORY ? node : NameNodes.NONE;
    }

    /// Where `relative` leads below the archive's root: links are followed, `..` stops at the root, what does not
    /// exist counts as it is written. As [dev.remora.workspace.RootedPath#resolved] does it on a folder.
    Bytes resolved(Bytes relative) {
        List<Bytes> place = new ArrayList<>();
        Deque<Bytes> ahead = new ArrayDeque<>(LexicalPath.parts(relative));
        int links = 0;
        while (!ahead.isEmpty()) {
            Bytes part = ahead.removeFirst();
            if (LexicalPath.isUp(part)) {
                if (!place.isEmpty()) {
                    place.removeLast();
                }
                continue;
            }
            int holder = plainDirectory(place);
            int node = holder == NameNodes.NONE ? NameNodes.NONE : nodes.findHashed(holder, part);
            if (node != NameNodes.NONE && nodes.kind(node) == NameNodes.LINK) {
                if (++links > MOST_LINKS_OF_GO) {
                    throw new Fault(
                            FaultCode.PATH_INVALID,
                            "application path " + relative + ": too many levels of symbolic links");
                }
                List<Bytes> target = target(node);
                place.clear();
                target.reversed().forEach(ahead::addFirst);
            } else {
                place.add(part);
            }
        }
        return LexicalPath.join(Place.ROOT, place);
    }

    private int plainDirectory(List<Bytes> place) {
        int at = archive;
        for (Bytes part : place) {
            at = nodes.findHashed(at, part);
            if (at == NameNodes.NONE || nodes.kind(at) != NameNodes.DIRECTORY) {
                return NameNodes.NONE;
            }
        }
        return at;
    }

    /// What a link names, in parts below the archive's root.
    private List<Bytes> target(int link) {
        Deque<Bytes> place = new ArrayDeque<>();
        for (int at = nodes.parent(link); at != archive; at = nodes.parent(at)) {
            place.addFirst(nodes.name(at));
        }
        for (Bytes part : LexicalPath.parts(nodes.text(link))) {
            if (!LexicalPath.isUp(part)) {
                place.addLast(part);
            } else if (!place.isEmpty()) {
                place.removeLast();
            }
        }
        return List.copyOf(place);
    }

    private Look look(Bytes path, boolean followLast) {
        if (path.indexOf((byte) 0, 0) >= 0) {
            return new Look.Failed("invalid argument");
        }
        var walk = new Walk(LexicalPath.parts(path), followLast);
        int node = walk.run();
        return node == NameNodes.NONE ? new Look.Failed(walk.failure) : new Look.Found(kind(node));
    }

    private Kind kind(int node) {
        return switch (nodes.kind(node)) {
            case NameNodes.DIRECTORY -> Kind.DIRECTORY;
            case NameNodes.LINK -> Kind.LINK;
            default -> Kind.OTHER;
        };
    }

    /// One look-up as the kernel does it.
    private final class Walk {
        private final Deque<Bytes> ahead;
        private final boolean followLast;
        private String failure = "";
        private int links;

        Walk(List<Bytes> parts, boolean followLast) {
            this.ahead = new ArrayDeque<>(parts);
            this.followLast = followLast;
        }

        int run() {
            int at = nodes.root();
            while (!ahead.isEmpty()) {
                Bytes part = ahead.removeFirst();
                int next = step(at, part);
                if (next == NameNodes.NONE) {
                    return NameNodes.NONE;
                }
                at = nodes.kind(next) == NameNodes.LINK && (followLast || !ahead.isEmpty()) ? turn(next) : next;
                if (at == NameNodes.NONE) {
                    return NameNodes.NONE;
                }
            }
            return at;
        }

        private int step(int at, Bytes part) {
            if (nodes.kind(at) != NameNodes.DIRECTORY) {
                failure = "not a directory";
                return NameNodes.NONE;
            }
            if (part.length() > NAME_MAX) {
                failure = "file name too long";
                return NameNodes.NONE;
            }
            int next = nodes.find(at, part);
            if (next == NameNodes.NONE) {
                failure = NO_SUCH_FILE;
            }
            return next;
        }

        /// Goes on at the archive's root with the link's target ahead.
        private int turn(int link) {
            if (++links > MOST_LINKS) {
                failure = "too many levels of symbolic links";
                return NameNodes.NONE;
            }
            target(link).reversed().forEach(ahead::addFirst);
            return archive;
        }
    }
}

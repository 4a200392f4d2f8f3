package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.OpenWatch;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/// Which files of a tree were opened since it was unpacked: no other can have been changed through a mapping. The
/// kernel tells by its notices for folders, and a file that is reached past its folder shows it: a link or a move
/// moves its ctime.
///
/// What we open ourselves is told as well. So strangers' openings are taken ([#note]) before our own begin, and ours
/// are dropped ([#drop]) before strangers come.
///
/// Of whoever holds the tree.
final class Openings implements AutoCloseable {
    private final OpenWatch watch;
    private final Semaphore places;
    private final Map<Integer, TreeNode> folders = new HashMap<>();
    private boolean whole = true;

    private Openings(OpenWatch watch, Semaphore places) {
        this.watch = watch;
        this.places = places;
    }

    /// Empty where the user has no watch left.
    ///
    /// @param places one is taken until this is closed
    static Optional<Openings> begin(Semaphore places) {
        if (!places.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Openings(OpenWatch.open(), places));
        } catch (ErrnoException e) {
            places.release();
            return Optional.empty();
        }
    }

    /// Whether every opening since the first [#cover] was told.
    boolean whole() {
        return whole;
    }

    /// Watches the folders that are new in the tree at `path`. Nothing but our own is opened meanwhile, and that is
    /// dropped.
    void cover(TreeIndex index, Bytes path) {
        if (whole) {
            try {
                cover(index.root(), path);
            } catch (ErrnoException e) {
                whole = false;
            }
        }
        drop();
    }

    private void cover(TreeNode folder, Bytes path) throws ErrnoException {
        if (!folder.isWatched()) {
            folders.put(watch.add(path), folder);
            folder.watched();
        }
        for (Map.Entry<Bytes, TreeNode> child : folder.children().entrySet()) {
            if (child.getValue().isDirectory()) {
                cover(child.getValue(), path.slash(child.getKey()));
            }
        }
    }

    /// Marks the files that were opened.
    void note() {
        take(true);
    }

    /// Forgets what was told until now.
    void drop() {
        take(false);
    }

    private void take(boolean marking) {
        try {
            whole = watch.take(new Notices(marking)) && whole;
        } catch (ErrnoException e) {
            whole = false;
        }
    }

    /// What is done about each.
    private final class Notices implements OpenWatch.Notice {
        private final boolean marking;

        Notices(boolean marking) {
            this.marking = marking;
        }

        @Override
        public void opened(int folder, Bytes name, boolean isFolder) {
            if (marking && !isFolder) {
                Optional.ofNullable(folders.get(folder))
                        .flatMap(node -> node.child(name))
                        .ifPresent(TreeNode::opened);
            }
        }

        @Override
        public void gone(int folder) {
            folders.remove(folder);
        }
    }

    @Override
    public void close() {
        watch.close();
        places.release();
    }
}

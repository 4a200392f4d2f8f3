package dev.remora.cache;

import dev.remora.posix.Bytes;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileType;
import dev.remora.posix.Libc;
import dev.remora.posix.OpenWatch;
import dev.remora.posix.Poll;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Watches which files of a tree are opened, from [#begin] to [#end]. `docs/decisions/read-trace.md` says why by
/// notices
/// of the kernel, and what they cannot see.
///
/// The tree must not change while the trace begins. It never makes a render fail: what it cannot watch it tells. A
/// thread of its own takes the notices, since the kernel keeps only some 16,000.
public final class ReadTrace implements AutoCloseable {
    /// Folders watched and entries looked at; a tree with more is watched in part.
    private static final int MOST_FOLDERS = 50_000;

    private static final int MOST_ENTRIES = 1_000_000;
    private static final int FOR_EVER = -1;

    private final Bytes root;
    private final SortedSet<Bytes> files = new TreeSet<>();
    private final SortedSet<Bytes> folders = new TreeSet<>();
    private final Map<Bytes, Bytes> links = new TreeMap<>();
    private final SortedSet<Bytes> openedFiles = new TreeSet<>();
    private final SortedSet<Bytes> openedFolders = new TreeSet<>();
    private final Map<Integer, Bytes> watched = new HashMap<>();
    private final List<String> gaps = new ArrayList<>();
    private final int wakeUp = Descriptors.wakeUp();
    private Optional<OpenWatch> watch = Optional.empty();
    private Optional<Thread> taker = Optional.empty();
    private boolean closed;

    private ReadTrace(Bytes root) {
        this.root = root;
    }

    /// Watches the tree at `root` from now on.
    public static ReadTrace begin(Bytes root) {
        ReadTrace trace = new ReadTrace(root);
        try {
            OpenWatch watch = OpenWatch.open();
            trace.watch = Optional.of(watch);
            trace.visit(watch, Bytes.EMPTY);
            // What looking around has opened is not of interest.
            boolean _ = watch.take((folder, name, isFolder) -> {});
            trace.start(watch);
        } catch (ErrnoException e) {
            trace.gap("opened files cannot be watched: " + e.getMessage());
        }
        return trace;
    }

    private void visit(OpenWatch watch, Bytes folder) throws ErrnoException {
        Bytes path = folder.isEmpty() ? root : root.slash(folder);
        if (watched.size() >= MOST_FOLDERS || files.size() + links.size() >= MOST_ENTRIES) {
            gap("the tree is too large to be watched as a whole");
            return;
        }
        List<DirectoryEntry> entries;
        try (Directory directory = Directory.open(path)) {
            watched.put(watch.add(path), folder);
            entries = directory.list();
        } catch (ErrnoException e) {
            gap((folder.isEmpty() ? "." : folder) + " cannot be watched: " + e.reason());
            return;
        }
        for (DirectoryEntry entry : entries) {
            Bytes place = folder.isEmpty() ? entry.name() : folder.slash(entry.name());
            switch (type(path, entry)) {
                case DIRECTORY -> {
                    folders.add(place);
                    visit(watch, place);
                }
                case SYMLINK -> links.put(place, Directory.readLinkAt(root.slash(place)));
                default -> files.add(place);
            }
        }
    }

    private static FileType type(Bytes folder, DirectoryEntry entry) throws ErrnoException {
        return entry.type() == FileType.UNKNOWN
                ? Directory.statusAt(folder.slash(entry.name())).type()
                : entry.type();
    }

    private void gap(String sentence) {
        if (!gaps.contains(sentence)) {
            gaps.add(sentence);
        }
    }

    private void start(OpenWatch watch) {
        Thread thread = Thread.ofPlatform().daemon().name("reads").unstarted(() -> take(watch));
        taker = Optional.of(thread);
        thread.start();
    }

    /// The thread's work; its fields are read again only after it has ended.
    private void take(OpenWatch watch) {
        try (Libc libc = Libc.open()) {
            Poll poll = new Poll(libc, 2);
            poll.set(0, watch.descriptor());
            poll.set(1, wakeUp);
            boolean ending = false;
            while (!ending) {
                poll.await(FOR_EVER);
                ending = poll.ready(1);
                if (!watch.take(this::opened)) {
                    gap("the kernel dropped notices, because more files were opened at once than it keeps");
                }
            }
        } catch (ErrnoException e) {
            gap("watching ended early: " + e.getMessage());
        }
    }

    private void opened(int number, Bytes name, boolean isFolder) {
        Bytes folder = watched.get(number);
        if (folder == null) {
            return;
        }
        Bytes path = name.isEmpty() ? folder : folder.isEmpty() ? name : folder.slash(name);
        if (isFolder) {
            openedFolders.add(path);
        } else if (files.contains(path)) {
            openedFiles.add(path);
        }
    }

    /// Stops watching and says what was opened.
    public Reads end() {
        close();
        openedFolders.removeIf(folder -> !folder.isEmpty() && !folders.contains(folder));
        return new Reads(openedFiles, openedFolders, leadingLinks(), files, folders, gaps);
    }

    /// Links whose text, followed through other links of the tree, names something opened or a folder above it.
    private SortedSet<Bytes> leadingLinks() {
        SortedSet<Bytes> leading = new TreeSet<>();
        LinkTexts texts = new LinkTexts(links);
        links.keySet()
                .forEach(link -> texts.place(link).ifPresent(target -> {
                    if (openedFiles.contains(target) || openedFolders.contains(target) || holdsOpened(target)) {
                        leading.add(link);
                    }
                }));
        return leading;
    }

    private boolean holdsOpened(Bytes folder) {
        Bytes below = folder.isEmpty() ? Bytes.EMPTY : folder.slash(Bytes.EMPTY);
        SortedSet<Bytes> from = openedFiles.tailSet(below);
        return folders.contains(folder) && !from.isEmpty() && from.first().startsWith(below);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Descriptors.wake(wakeUp);
        taker.ifPresent(ReadTrace::await);
        watch.ifPresent(OpenWatch::close);
        Descriptors.close(wakeUp);
    }

    private static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

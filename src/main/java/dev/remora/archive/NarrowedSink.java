package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Hands on the entries that an [EntryFilter] wants, and remembers the names of the others.
///
/// A folder that is not wanted itself waits until something below it is, and is made then, with its own mode. Archives
/// come in the order of a walk, so only the folders above the current entry can wait; in an archive of another order a
/// folder may be made by what lies in it, with the mode that such folders have.
public final class NarrowedSink implements EntrySink {
    private static final int IMPLIED_MODE = 0755;

    private record Waiting(EntryPath path, int mode) {}

    private final EntrySink sink;
    private final EntryFilter filter;
    private final SkippedNames skipped = new SkippedNames();
    /// The way to the last entry, and for each step where the patterns have come to.
    private final List<Bytes> place = new ArrayList<>();

    private final List<long[]> states = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    /// A folder that is there for certain: the one that the last wanted entry is, or lies in.
    private List<Bytes> standing = List.of();

    private boolean passing;

    NarrowedSink(EntrySink sink, EntryFilter filter) {
        this.sink = sink;
        this.filter = filter;
        states.add(
                filter.patterns().stream().mapToLong(pattern -> pattern.start()).toArray());
    }

    /// What was left out.
    public SkippedNames skipped() {
        return skipped;
    }

    @Override
    public Bytes destination() {
        return sink.destination();
    }

    @Override
    public void directory(EntryPath path, int mode) {
        if (wanted(path) || filter.leadsToApplication(path)) {
            makeWaiting(path);
            sink.directory(path, mode);
            standing = path.components();
            return;
        }
        skipped.add(path);
        forgetBeside(path);
        if (!hopeless()) {
            waiting.add(new Waiting(path, mode));
        }
    }

    @Override
    public void symlink(EntryPath path, Bytes target) {
        if (wanted(path) || filter.isOnTheWay(path)) {
            makeWaiting(path);
            makeParent(path);
            sink.symlink(path, target);
        } else {
            skipped.add(path);
        }
    }

    @Override
    public void file(EntryPath path, int mode, long size) {
        passing = wanted(path);
        if (passing) {
            makeWaiting(path);
            sink.file(path, mode, size);
            standing = path.parent();
        } else {
            skipped.add(path);
        }
    }

    @Override
    public void content(ByteBuffer part) {
        if (passing) {
            sink.content(part);
        }
    }

    @Override
    public void fileEnd() {
        if (passing) {
            sink.fileEnd();
        }
        passing = false;
    }

    @Override
    public void dropped(EntryPath path, char type) {
        sink.dropped(path, type);
    }

    private boolean wanted(EntryPath path) {
        List<Bytes> names = path.components();
        int same = 0;
        while (same < place.size() && same < names.size() && place.get(same).equals(names.get(same))) {
            same++;
        }
        place.subList(same, place.size()).clear();
        states.subList(same + 1, states.size()).clear();
        for (Bytes name : names.subList(same, names.size())) {
            states.add(after(states.getLast(), name));
            place.add(name);
        }
        long[] here = states.getLast();
        for (int i = 0; i < here.length; i++) {
            if (filter.patterns().get(i).accepts(here[i])) {
                return true;
            }
        }
        return false;
    }

    private long[] after(long[] before, Bytes name) {
        long[] next = new long[before.length];
        for (int i = 0; i < before.length; i++) {
            next[i] = filter.patterns().get(i).after(before[i], name);
        }
        return next;
    }

    /// Whether nothing below the entry that was asked about last can be wanted.
    private boolean hopeless() {
        for (long state : states.getLast()) {
            if (state != 0) {
                return false;
            }
        }
        return true;
    }

    private void forgetBeside(EntryPath path) {
        waiting.removeIf(folder -> !isAbove(folder.path(), path));
    }

    private void makeWaiting(EntryPath path) {
        if (!waiting.isEmpty()) {
            forgetBeside(path);
            waiting.forEach(folder -> {
                skipped.remove(folder.path());
                sink.directory(folder.path(), folder.mode());
                standing = folder.path().components();
            });
            waiting.clear();
        }
    }

    /// A link, unlike a file, does not make the folder that it lies in; an entry that was left out may have.
    private void makeParent(EntryPath link) {
        List<Bytes> parent = link.parent();
        boolean stands = parent.size() <= standing.size()
                && standing.subList(0, parent.size()).equals(parent);
        if (!stands) {
            sink.directory(new EntryPath(parent), IMPLIED_MODE);
            standing = parent;
        }
    }

    private static boolean isAbove(EntryPath folder, EntryPath path) {
        int depth = folder.depth();
        return depth < path.depth() && path.components().subList(0, depth).equals(folder.components());
    }

    @Override
    public void finish() {
        sink.finish();
    }

    @Override
    public void close() {
        sink.close();
    }
}

package dev.remora.archive;

import dev.remora.posix.Bytes;
import dev.remora.workspace.TreeRemark;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// The names of entries that an archive has and `remora.inputs` leaves out, so that a command that misses one can be
/// told. Changed by the one thread that unpacks; read afterwards.
public final class SkippedNames implements TreeRemark {
    /// No names.
    public static final SkippedNames NONE = new SkippedNames();

    /// Bytes of names; what comes later is not remembered. Enough for some 20,000 files, and each idle tree keeps its
    /// own.
    private static final int MOST_BYTES = 2 << 20;
    /// What a name takes besides its bytes.
    private static final int OVERHEAD = 64;

    private final Set<Bytes> paths = new HashSet<>();
    private long count;
    private int bytes;

    void add(EntryPath path) {
        count++;
        Bytes name = path.path();
        if (bytes + name.length() + OVERHEAD <= MOST_BYTES && paths.add(name)) {
            bytes += name.length() + OVERHEAD;
        }
    }

    void remove(EntryPath path) {
        count--;
        if (paths.remove(path.path())) {
            bytes -= path.path().length() + OVERHEAD;
        }
    }

    /// How many there were, also those that are not remembered.
    public long count() {
        return count;
    }

    /// Whether `path`, relative to the root and clean, was left out.
    public boolean contains(Bytes path) {
        return paths.contains(path);
    }

    /// The shortest name left out that ends in `/end`, for commands that work in a folder of their own.
    public Optional<Bytes> endingIn(Bytes end) {
        Bytes slashed = Bytes.EMPTY.slash(end);
        return paths.stream()
                .filter(path -> endsWith(path, slashed))
                .min(Comparator.comparingInt(Bytes::length).thenComparing(Comparator.naturalOrder()));
    }

    private static boolean endsWith(Bytes path, Bytes end) {
        int from = path.length() - end.length();
        return from >= 0 && path.slice(from, path.length()).equals(end);
    }
}

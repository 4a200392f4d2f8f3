package dev.remora.glob;

import dev.remora.posix.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A tree in memory, with links, below two folders that stand for the place where an archive is unpacked.
final class FakeTree implements GlobTree {
    static final Bytes ROOT = Bytes.utf8("/_cmp_server/<root>");

    private static final int MAX_LINKS = 40;

    private record Entry(Kind kind, Bytes target) {}

    private final Map<Bytes, Entry> entries = new TreeMap<>();
    private final Map<Bytes, String> unlistable = new HashMap<>();
    private final TreeSet<Bytes> listed = new TreeSet<>();

    FakeTree() {
        put(CleanPath.ROOT, Kind.DIRECTORY, Bytes.EMPTY);
        put(Bytes.utf8("/_cmp_server"), Kind.DIRECTORY, Bytes.EMPTY);
        put(ROOT, Kind.DIRECTORY, Bytes.EMPTY);
    }

    FakeTree directory(Bytes path) {
        put(ROOT.slash(path), Kind.DIRECTORY, Bytes.EMPTY);
        return this;
    }

    FakeTree file(Bytes path) {
        put(ROOT.slash(path), Kind.OTHER, Bytes.EMPTY);
        return this;
    }

    FakeTree link(Bytes path, Bytes target) {
        put(ROOT.slash(path), Kind.LINK, target);
        return this;
    }

    FakeTree unlistable(Bytes path, String reason) {
        unlistable.put(ROOT.slash(path), reason);
        return this;
    }

    /// The folders that were listed.
    Set<Bytes> listed() {
        return listed;
    }

    private void put(Bytes path, Kind kind, Bytes target) {
        entries.put(path, new Entry(kind, target));
    }

    @Override
    public Look stat(Bytes path) {
        return look(resolved(path, true, 0));
    }

    @Override
    public Look lstat(Bytes path) {
        return look(resolved(path, false, 0));
    }

    @Override
    public Optional<String> list(Bytes directory, Visitor visitor) {
        Bytes real = resolved(directory, true, 0).real;
        listed.add(real);
        if (unlistable.containsKey(real)) {
            return Optional.of(unlistable.get(real));
        }
        for (Map.Entry<Bytes, Entry> entry : entries.entrySet()) {
            Bytes path = entry.getKey();
            int slash = path.lastIndexOf((byte) '/');
            boolean child = !path.equals(CleanPath.ROOT) && parent(path).equals(real);
            if (child
                    && !visitor.entry(
                            path.slice(slash + 1, path.length()),
                            entry.getValue().kind())) {
                break;
            }
        }
        return Optional.empty();
    }

    private Look look(Path path) {
        Entry entry = path.failure.isEmpty() ? entries.get(path.real) : null;
        if (entry != null) {
            return new Look.Found(entry.kind());
        }
        return new Look.Failed(path.failure.orElse(NO_SUCH_FILE));
    }

    /// A path without links, whether or not its last segment is there, or why it leads nowhere.
    private record Path(Bytes real, Optional<String> failure) {}

    private Path resolved(Bytes path, boolean last, int links) {
        Bytes real = CleanPath.ROOT;
        var segments = CleanPath.segments(path);
        for (int i = 1; i < segments.size(); i++) {
            Bytes segment = segments.get(i);
            if (segment.isEmpty()) {
                continue;
            }
            if (!entries.containsKey(real) || entries.get(real).kind() != Kind.DIRECTORY) {
                return new Path(real, Optional.of(entries.containsKey(real) ? "not a directory" : NO_SUCH_FILE));
            }
            real = CleanPath.join(real, segment);
            Entry entry = entries.get(real);
            if (entry != null && entry.kind() == Kind.LINK && (last || i < segments.size() - 1)) {
                if (links >= MAX_LINKS) {
                    return new Path(real, Optional.of("too many levels of symbolic links"));
                }
                Path target = resolved(CleanPath.join(parent(real), entry.target()), true, links + 1);
                if (target.failure.isPresent()) {
                    return target;
                }
                real = target.real;
            }
        }
        return new Path(real, Optional.empty());
    }

    private static Bytes parent(Bytes path) {
        int slash = path.lastIndexOf((byte) '/');
        return slash == 0 ? CleanPath.ROOT : path.slice(0, slash);
    }
}

package dev.remora.archive;

import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where an entry lies below the root: cleaned, never the root itself, without `.` and `..`.
public record EntryPath(List<Bytes> components) {
    public EntryPath {
        components = List.copyOf(components);
        if (components.isEmpty()) {
            throw new IllegalArgumentException("the root is no entry");
        }
    }

    /// Cleaned as `path/filepath.Join(root, name)` does, so that `/etc/x` is `etc/x`; empty when it leaves the root,
    /// be it to come back, or is the root.
    static Optional<EntryPath> of(Bytes name) {
        List<Bytes> cleaned = new ArrayList<>();
        for (Bytes part : LexicalPath.parts(name)) {
            if (!LexicalPath.isUp(part)) {
                cleaned.add(part);
            } else if (cleaned.isEmpty()) {
                return Optional.empty();
            } else {
                cleaned.removeLast();
            }
        }
        return cleaned.isEmpty() ? Optional.empty() : Optional.of(new EntryPath(cleaned));
    }

    public Bytes name() {
        return components.getLast();
    }

    public List<Bytes> parent() {
        return components.subList(0, components.size() - 1);
    }

    public int depth() {
        return components.size();
    }

    /// With slashes between.
    public Bytes path() {
        return LexicalPath.join(Bytes.EMPTY, components);
    }

    @Override
    public String toString() {
        return path().toString();
    }
}

package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Real paths that were found, none below another. What would open a folder that must stay closed is never taken:
/// a tool that lies in a home does not open the home.
///
/// For one thread.
final class FoundFiles {
    private static final int READ_BY_OTHERS = 0004;
    private static final Bytes ROOT = Bytes.utf8("/");

    private final Set<Bytes> paths = new LinkedHashSet<>();
    private final List<Bytes> closed;

    /// @param closed places that no found folder may hold
    FoundFiles(List<Bytes> closed) {
        this.closed = closed.stream().flatMap(path -> real(path).stream()).toList();
    }

    /// Where `path` leads; empty if there is nothing, or nothing that we may look up.
    static Optional<Bytes> real(Bytes path) {
        try {
            return LexicalPath.isAbsolute(path) ? Optional.of(Directory.realPathAt(path)) : Optional.empty();
        } catch (ErrnoException e) {
            return Optional.empty();
        }
    }

    /// Adds what `path` leads to.
    void add(Bytes path) {
        real(path).filter(this::mayBeOpened).filter(real -> !covers(real)).ifPresent(paths::add);
    }

    /// As [#add], where any user may read it.
    void addIfPublic(Bytes path) {
        Optional<Bytes> real = real(path);
        if (real.isPresent() && status(real.get()).filter(FoundFiles::isPublic).isPresent()) {
            add(real.get());
        }
    }

    static boolean isPublic(FileStatus status) {
        return (status.mode() & READ_BY_OTHERS) != 0;
    }

    static Optional<FileStatus> status(Bytes path) {
        try {
            return Optional.of(Directory.statusAt(path));
        } catch (ErrnoException e) {
            return Optional.empty();
        }
    }

    /// Whether a path that is already there holds this real one.
    boolean covers(Bytes real) {
        return paths.stream().anyMatch(path -> isBelow(real, path));
    }

    private boolean mayBeOpened(Bytes real) {
        return !real.equals(ROOT) && closed.stream().noneMatch(place -> isBelow(place, real));
    }

    static boolean isBelow(Bytes path, Bytes folder) {
        return path.equals(folder) || folder.equals(ROOT) || path.startsWith(folder.plus(ROOT));
    }

    List<Bytes> paths() {
        return new ArrayList<>(paths);
    }
}

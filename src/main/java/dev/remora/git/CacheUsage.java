package dev.remora.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// What is kept of repositories, and of trees laid out from them.
///
/// @param bytes of all files
public record CacheUsage(int repositories, long bytes) {
    /// Looks at the cache of these options and at what lies beside it.
    public static CacheUsage of(GitOptions options) throws IOException {
        Path folder = options.cache().toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return new CacheUsage(0, 0);
        }
        return new CacheUsage(repositories(options.cache()), FileTree.size(folder));
    }

    private static int repositories(Path cache) throws IOException {
        if (!Files.isDirectory(cache)) {
            return 0;
        }
        try (Stream<Path> found = Files.find(cache, 3, (path, _) -> path.endsWith("url"))) {
            return Math.toIntExact(found.count());
        }
    }
}

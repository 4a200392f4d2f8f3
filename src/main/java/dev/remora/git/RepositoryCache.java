package dev.remora.git;

import dev.remora.digest.Sha256;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// All fetched repositories of a user, bounded in bytes: when they are too many, those that no process uses are
/// removed, the one used longest ago first.
final class RepositoryCache {
    /// A change of the layout gets a folder of its own.
    private static final String LAYOUT = "v1";

    private static final int NAME_DIGITS = 32;

    private final Path root;
    private final long most;

    RepositoryCache(Path root, long most) {
        this.root = root.resolve(LAYOUT);
        this.most = most;
    }

    /// Where the repository of this name is kept.
    ///
    /// @param name a URL, or a folder's path
    Path folder(String name) {
        String digest = Sha256.hex(name.getBytes(StandardCharsets.UTF_8));
        return root.resolve(digest.substring(0, NAME_DIGITS));
    }

    private record Kept(Path folder, long size, long usedMillis) {}

    /// Removes what is too much.
    void shrink() {
        List<Kept> all = kept();
        long sum = all.stream().mapToLong(Kept::size).sum();
        for (Kept oldest : all) {
            if (sum <= most) {
                return;
            }
            if (RepositoryStore.removeUnused(oldest.folder())) {
                sum -= oldest.size();
            }
        }
    }

    /// The one used longest ago first.
    private List<Kept> kept() {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        List<Kept> all = new ArrayList<>();
        try (Stream<Path> folders = Files.list(root)) {
            folders.forEach(folder -> all.add(kept(folder)));
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot read " + root + ": " + Fault.words(e), e);
        }
        all.sort(Comparator.comparingLong(Kept::usedMillis));
        return all;
    }

    private static Kept kept(Path folder) {
        try {
            Path size = folder.resolve("size");
            // Without the file the process that fetched was killed: it is counted.
            long bytes =
                    Files.exists(size) ? Long.parseLong(Files.readString(size).strip()) : FileTree.size(folder);
            return new Kept(
                    folder,
                    bytes,
                    Files.getLastModifiedTime(folder.resolve("url")).toMillis());
        } catch (IOException | NumberFormatException beingMadeOrRemoved) {
            return new Kept(folder, 0, Long.MAX_VALUE);
        }
    }
}

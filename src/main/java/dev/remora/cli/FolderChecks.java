package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.git.CacheUsage;
import dev.remora.git.GitOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The folders that Remora itself writes to: of work, and of what it fetched.
final class FolderChecks {
    private static final long MIB = 1 << 20;
    private static final long SMALL_PART = 20;
    private static final long ENOUGH = 1 << 30;

    private FolderChecks() {}

    static List<Check> look(Path work, Map<String, String> environment) {
        return List.of(work(work), cache(GitOptions.ofThisUser(environment)));
    }

    private static Check work(Path folder) {
        return Files.isDirectory(folder) && Files.isWritable(folder)
                ? Check.ok("work folder", folder + " is writable")
                : Check.fail(
                        "work folder",
                        folder + (Files.isDirectory(folder) ? " is not writable" : " is no folder"),
                        "mount a volume there, or name another by ARGOCD_CMP_WORKDIR");
    }

    private static Check cache(GitOptions options) {
        Path folder = options.cache().resolveSibling("");
        Path there = existing(folder);
        if (!Files.isDirectory(there) || !Files.isWritable(there)) {
            return Check.fail(
                    "cache",
                    folder + " cannot be written by this user",
                    "chown -R \"$(id -u)\" " + there + ", or set XDG_CACHE_HOME to a folder of yours");
        }
        try {
            CacheUsage usage = CacheUsage.of(options);
            String finding = usage.repositories() + (usage.repositories() == 1 ? " repository, " : " repositories, ")
                    + size(usage.bytes()) + " of at most " + size(options.cacheBytes()) + " in " + folder;
            long free = Files.getFileStore(there).getUsableSpace();
            long all = Files.getFileStore(there).getTotalSpace();
            return free < Math.min(all / SMALL_PART, ENOUGH)
                    ? Check.warn("cache", finding + ", and only " + size(free) + " are free there", "rm -rf " + folder)
                    : Check.ok("cache", finding);
        } catch (IOException e) {
            return Check.fail("cache", folder + " cannot be read: " + Fault.words(e), "rm -rf " + folder);
        }
    }

    /// The folder itself, or the nearest above it that is there.
    private static Path existing(Path folder) {
        Path absolute = folder.toAbsolutePath();
        for (int names = absolute.getNameCount(); names > 0; names--) {
            Path place = Path.of("/").resolve(absolute.subpath(0, names));
            if (Files.exists(place)) {
                return place;
            }
        }
        return Path.of("/");
    }

    private static String size(long bytes) {
        return bytes < 1024 * MIB ? bytes / MIB + " MiB" : "%.1f GiB".formatted(bytes / 1024.0 / MIB);
    }
}

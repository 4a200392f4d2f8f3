package dev.remora.git;

import java.nio.file.Path;

/// A process of its own that lays out `main` of a repository: arguments are its folder, the cache and the URL.
public final class FetchProcess {
    private FetchProcess() {}

    public static void main(String[] arguments) {
        Path root = Path.of(arguments[0]);
        try (GitRun git =
                GitRun.in(root, options -> options.withCache(Path.of(arguments[1]), GitOptions.CACHE_BYTES))) {
            System.out.println(git.layOut(arguments[2], "main").files() + " files");
        }
    }
}

package dev.remora.git;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/// How repositories are reached and kept.
///
/// @param cache the folder of fetched repositories
/// @param cacheBytes above it, repositories that nobody uses are removed, the one used longest ago first
/// @param runtime where a folder for sockets is made: `$XDG_RUNTIME_DIR` or `/tmp`; its path must be short
/// @param environment this process's own
/// @param credentials Argo CD's Secrets, perhaps none
/// @param folders repositories that a local folder stands for, uncommitted changes included
/// @param checkouts folders whose commits may be missing on the server of a repository
/// @param written folders that this run writes to: what is in them and not committed is no part of a local folder
/// @param fresh how long a list of refs counts: a command asks each repository once
/// @param submodules whether submodules are fetched and laid out, as Argo CD does unless told otherwise
/// @param lfs when large files are fetched
/// @param offline whether servers are left alone: what was fetched and listed before has to do
public record GitOptions(
        Path cache,
        long cacheBytes,
        Path runtime,
        Map<String, String> environment,
        CredentialBook credentials,
        Map<RepositoryUrl, Path> folders,
        Map<RepositoryUrl, Path> checkouts,
        Set<Path> written,
        GitTimes times,
        Duration fresh,
        boolean submodules,
        Lfs lfs,
        boolean offline,
        InstantSource clock) {
    public static final long CACHE_BYTES = 10L << 30;

    /// A run of a command is shorter.
    private static final Duration WHOLE_RUN = Duration.ofDays(1);

    public GitOptions {
        environment = Map.copyOf(environment);
        folders = Map.copyOf(folders);
        checkouts = Map.copyOf(checkouts);
        written = Set.copyOf(written);
    }

    /// When the content of large files is fetched.
    public enum Lfs {
        /// Where the repository's Secret says `enableLfs`, as Argo CD does.
        AS_ARGOCD,
        ALWAYS,
        NEVER
    }

    /// For one command of this user, with the cache at its usual place.
    public static GitOptions ofThisUser(Map<String, String> environment) {
        String home = environment.getOrDefault("HOME", "/tmp");
        String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path cache = caches.startsWith("/") ? Path.of(caches) : Path.of(home, ".cache");
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        return new GitOptions(
                cache.resolve("remora").resolve("git"),
                CACHE_BYTES,
                runtime.startsWith("/") && java.nio.file.Files.isWritable(Path.of(runtime))
                        ? Path.of(runtime)
                        : Path.of("/tmp"),
                environment,
                CredentialBook.EMPTY,
                Map.of(),
                Map.of(),
                Set.of(),
                GitTimes.STANDARD,
                WHOLE_RUN,
                true,
                Lfs.AS_ARGOCD,
                false,
                InstantSource.system());
    }

    public GitOptions withCache(Path folder, long bytes) {
        return new GitOptions(
                folder,
                bytes,
                runtime,
                environment,
                credentials,
                folders,
                checkouts,
                written,
                times,
                fresh,
                submodules,
                lfs,
                offline,
                clock);
    }

    public GitOptions withCredentials(CredentialBook book) {
        return new GitOptions(
                cache,
                cacheBytes,
                runtime,
                environment,
                book,
                folders,
                checkouts,
                written,
                times,
                fresh,
                submodules,
                lfs,
                offline,
                clock);
    }

    public GitOptions withFolders(Map<RepositoryUrl, Path> mapped) {
        return withFolders(mapped, checkouts);
    }

    public GitOptions withFolders(Map<RepositoryUrl, Path> mapped, Map<RepositoryUrl, Path> known) {
        return new GitOptions(
                cache,
                cacheBytes,
                runtime,
                environment,
                credentials,
                mapped,
                known,
                written,
                times,
                fresh,
                submodules,
                lfs,
                offline,
                clock);
    }

    public GitOptions withWritten(Set<Path> outputs) {
        return new GitOptions(
                cache,
                cacheBytes,
                runtime,
                environment,
                credentials,
                folders,
                checkouts,
                outputs,
                times,
                fresh,
                submodules,
                lfs,
                offline,
                clock);
    }

    public GitOptions withTimes(GitTimes other, Duration listingsCount) {
        return new GitOptions(
                cache,
                cacheBytes,
                runtime,
                environment,
                credentials,
                folders,
                checkouts,
                written,
                other,
                listingsCount,
                submodules,
                lfs,
                offline,
                clock);
    }

    public GitOptions withContent(boolean withSubmodules, Lfs largeFiles) {
        return new GitOptions(
                cache,
                cacheBytes,
                runtime,
                environment,
                credentials,
                folders,
                checkouts,
                written,
                times,
                fresh,
                withSubmodules,
                largeFiles,
                offline,
                clock);
    }

    public GitOptions withoutServers() {
        return new GitOptions(
                cache,
                cacheBytes,
                runtime,
                environment,
                credentials,
                folders,
                checkouts,
                written,
                times,
                fresh,
                submodules,
                lfs,
                true,
                clock);
    }
}

package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.OpenFile;
import dev.remora.process.Cancellation;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The folder of one fetched repository, and its locks:
///
/// ```
/// <cache>/v1/<digest of the URL>/
///     repo/      bare repository; what was fetched is held by refs/remora/commit/<id>
///     history/   commits alone, made when a short commit id is first looked up
///     use        shared by every process that uses the repository; whoever has it alone may remove or tidy it
///     lock       held while a process fetches
///     url        for people
///     refs       what the server listed last, for work without it
///     size       bytes, as of the last fetch
/// ```
///
/// The kernel drops both locks however a process ends, so a lock is never left over, and whoever has `lock` knows
/// that temporary packs and git's own lock files are leftovers of the dead.
final class RepositoryStore implements AutoCloseable {
    private static final Bytes LOCK = Bytes.utf8("lock");
    private static final Bytes USE = Bytes.utf8("use");
    private static final int PRIVATE_FILE = 0600;
    private static final long LOOK_AGAIN_MILLIS = 20;
    private static final int TRIES_AGAINST_REMOVAL = 50;
    private static final String KEPT = "refs/remora/commit/";

    private final Path folder;
    private final OpenFile use;

    private RepositoryStore(Path folder, OpenFile use) {
        this.folder = folder;
        this.use = use;
    }

    /// Opens it for use, made if it is not there.
    ///
    /// @param tidy run while no other process uses it
    static RepositoryStore open(Path folder, String url, java.util.function.Consumer<Path> tidy) {
        try {
            for (int i = 0; i < TRIES_AGAINST_REMOVAL; i++) {
                Files.createDirectories(folder);
                OpenFile use = file(folder, USE);
                if (use.tryLock() && stillThere(folder, use)) {
                    tidy.accept(folder);
                }
                if (use.tryShare() && stillThere(folder, use)) {
                    Files.writeString(folder.resolve("url"), url + "\n");
                    return new RepositoryStore(folder, use);
                }
                use.close();
                Thread.sleep(LOOK_AGAIN_MILLIS);
            }
            throw new Fault(
                    FaultCode.GIT_CACHE, "the repository's folder " + folder + " is being removed all the time");
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot use the folder " + folder + ": " + Fault.words(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Fault(FaultCode.CALL_CANCELLED, "interrupted while waiting for " + folder, e);
        }
    }

    private static OpenFile file(Path folder, Bytes name) throws ErrnoException {
        try (Directory directory = Directory.open(Bytes.utf8(folder.toString()))) {
            return directory.openOrCreateFile(name, PRIVATE_FILE);
        }
    }

    /// False where the folder was removed between our opening the file and our locking it.
    private static boolean stillThere(Path folder, OpenFile use) throws ErrnoException {
        try (Directory directory = Directory.open(Bytes.utf8(folder.toString()))) {
            return directory
                    .find(USE)
                    .filter(found -> sameFile(found.inode(), use))
                    .isPresent();
        } catch (ErrnoException gone) {
            return false;
        }
    }

    private static boolean sameFile(long inode, OpenFile use) {
        try {
            return use.status().inode() == inode;
        } catch (ErrnoException e) {
            return false;
        }
    }

    /// Removes a repository that no process uses; false where one does.
    static boolean removeUnused(Path folder) {
        try (OpenFile use = file(folder, USE)) {
            if (!use.tryLock()) {
                return false;
            }
            FileTree.remove(folder);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    Path repository() {
        return folder.resolve("repo");
    }

    Path history() {
        return folder.resolve("history");
    }

    /// What the server listed when it was last asked.
    Optional<byte[]> listing() {
        try {
            return Optional.of(Files.readAllBytes(folder.resolve("refs")));
        } catch (IOException neverAsked) {
            return Optional.empty();
        }
    }

    /// Written aside first: a reader finds all of it or the one before.
    void keepListing(byte[] listed) {
        try {
            Path aside = Files.createTempFile(folder, "refs-", ".tmp");
            Files.write(aside, listed);
            Files.move(aside, folder.resolve("refs"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot write to " + folder + ": " + Fault.words(e), e);
        }
    }

    /// Runs `work` while no other process fetches.
    <T> T alone(Duration most, Cancellation cancellation, Supplier<T> work) {
        try (OpenFile lock = file(folder, LOCK)) {
            long end = System.nanoTime() + most.toNanos();
            while (!lock.tryLock()) {
                if (cancellation.isCancelled()) {
                    throw new Fault(
                            FaultCode.CALL_CANCELLED,
                            "stopped waiting for " + folder + ": "
                                    + cancellation.reason().orElse("cancelled"));
                }
                if (System.nanoTime() - end > 0) {
                    throw new Fault(
                            FaultCode.GIT_CACHE,
                            "another process has held the lock of " + folder + " for " + most.toSeconds() + " s");
                }
                Thread.sleep(LOOK_AGAIN_MILLIS);
            }
            return work.get();
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot lock " + folder + ": " + Fault.words(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Fault(FaultCode.CALL_CANCELLED, "interrupted while waiting for " + folder, e);
        }
    }

    /// Under the lock: what killed processes left.
    static void sweep(Path repository) {
        removeMatching(repository.resolve("objects/pack"), "tmp_*");
        removeMatching(repository.resolve("objects/pack"), ".tmp-*");
        removeMatching(repository.resolve("objects"), "tmp_objdir-*");
        removeMatching(repository, "*.lock");
        removeMatching(repository.resolve(KEPT), "*.lock");
    }

    private static void removeMatching(Path folder, String glob) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
            for (Path leftover : found) {
                FileTree.remove(leftover);
            }
        } catch (IOException notThere) {
            return;
        }
    }

    /// Whether the commit was fetched whole. The ref is written last.
    boolean has(CommitId commit) {
        return Files.exists(repository().resolve(KEPT).resolve(commit.hex()));
    }

    static String ref(CommitId commit) {
        return KEPT + commit.hex();
    }

    /// Under the sole use: leaves only the newest commits' refs.
    static void forgetOldCommits(Path repository, int newest) throws IOException {
        Path refs = repository.resolve(KEPT);
        if (!Files.isDirectory(refs)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> found = Files.list(refs)) {
            all = found.sorted(java.util.Comparator.comparing(RepositoryStore::modified)
                            .reversed())
                    .toList();
        }
        for (Path old : all.subList(Math.min(newest, all.size()), all.size())) {
            Files.deleteIfExists(old);
        }
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }

    static long packs(Path repository) {
        try (Stream<Path> all = Files.list(repository.resolve("objects/pack"))) {
            return all.filter(file -> file.toString().endsWith(".pack")).count();
        } catch (IOException none) {
            return 0;
        }
    }

    /// Writes down how large the repository is now.
    void measure() {
        try {
            Files.writeString(folder.resolve("size"), Long.toString(FileTree.size(folder)));
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot write to " + folder + ": " + Fault.words(e), e);
        }
    }

    /// The moment of use, by which the cache chooses whom to remove.
    void touch() {
        try {
            Files.setLastModifiedTime(folder.resolve("url"), FileTime.fromMillis(System.currentTimeMillis()));
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot write to " + folder + ": " + Fault.words(e), e);
        }
    }

    @Override
    public void close() {
        use.close();
    }
}

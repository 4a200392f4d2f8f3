package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// A repository that a local folder stands for, as it is now: tracked files with what was changed in them, and new
/// files that are not ignored; in short, what `git add -A` would commit.
///
/// The folder's own repository is not touched: its index is copied, and new objects go to the cache. A folder without
/// a repository gives all its files.
final class FolderRepository implements GitRepository, AutoCloseable {
    private static final String NO_COMMIT = "0".repeat(40);

    private final GitWork work;
    private final RepositoryUrl url;
    private final Path folder;
    private final Access access;
    private final GitRepositories all;
    private final FolderGit git;
    private final ReentrantLock reading = new ReentrantLock();
    private Optional<RevisionTree> tree = Optional.empty();
    private Optional<RepositoryStore> store = Optional.empty();

    FolderRepository(GitWork work, RepositoryUrl url, Path folder, Access access, GitRepositories all) {
        this.work = work;
        this.url = url;
        this.folder = folder;
        this.access = access;
        this.all = all;
        this.git = new FolderGit(work, url, folder);
    }

    @Override
    public RepositoryUrl url() {
        return url;
    }

    @Override
    public Access access() {
        return access;
    }

    /// Whatever the revision: the folder is meant as it is.
    @Override
    public Resolution resolve(String revision, String tagPrefix, Cancellation cancellation) {
        Optional<CommitId> head = read(cancellation).commit();
        return new Resolution(
                revision, head.map(CommitId::hex).orElse(NO_COMMIT), head, Resolution.Rule.FOLDER, Optional.empty());
    }

    @Override
    public RevisionTree tree(Resolution resolution, Cancellation cancellation) {
        return read(cancellation);
    }

    @Override
    public RevisionTree at(String revision, String tagPrefix, Cancellation cancellation) {
        RevisionTree now = read(cancellation);
        Optional<CommitId> commit =
                git.own(folder, cancellation).flatMap(repository -> git.commit(repository, revision, cancellation));
        if (commit.isEmpty()) {
            throw new Fault(FaultCode.GIT_REVISION, folder + " has no revision " + revision);
        }
        return new RevisionTree(work, all, this, now.repository(), commit.get().hex(), commit, () -> {});
    }

    private RevisionTree read(Cancellation cancellation) {
        reading.lock();
        try {
            if (tree.isEmpty()) {
                tree = Optional.of(readNow(cancellation));
            }
            return tree.get();
        } finally {
            reading.unlock();
        }
    }

    private RevisionTree readNow(Cancellation cancellation) {
        Path real;
        try {
            real = folder.toRealPath();
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_ABSENT, "the folder " + folder + " for " + url + " cannot be read", e);
        }
        if (!Files.isDirectory(real)) {
            throw new Fault(FaultCode.GIT_ABSENT, folder + " for " + url + " is no folder");
        }
        RepositoryStore opened = RepositoryStore.open(
                work.cache().folder("folder " + real), real.toString(), path -> RepositoryFetch.tidy(work, path));
        store = Optional.of(opened);
        opened.touch();
        Optional<Path> own = git.own(real, cancellation);
        String id = opened.alone(work.times().local(), cancellation, () -> added(real, own, opened, cancellation));
        Optional<CommitId> head = own.flatMap(repository -> git.commit(repository, "HEAD", cancellation));
        opened.measure();
        return new RevisionTree(work, all, this, opened.repository(), id, head, () -> {});
    }

    /// The id of the tree of everything in the folder.
    private String added(Path real, Optional<Path> own, RepositoryStore opened, Cancellation cancellation) {
        Path bare = opened.repository();
        Path index = bare.resolveSibling("index");
        RepositoryStore.sweep(bare);
        if (!Files.exists(bare.resolve("HEAD"))) {
            byte[] _ = work.local(
                    "make " + bare,
                    List.of("init", "--quiet", "--bare", "--template=", "--", bare.toString()),
                    cancellation);
        }
        GitEnvironment environment = work.forFolder()
                .with("GIT_WORK_TREE", real.toString())
                .with("GIT_INDEX_FILE", index.toString())
                .with("GIT_DIR", own.orElse(bare).toString());
        try {
            Files.deleteIfExists(Path.of(index + ".lock"));
            if (own.isPresent()) {
                Path theirs = objects(own.get(), cancellation);
                Files.writeString(bare.resolve("objects/info/alternates"), theirs + "\n");
                environment = environment
                        .with("GIT_OBJECT_DIRECTORY", bare.resolve("objects").toString())
                        .with("GIT_ALTERNATE_OBJECT_DIRECTORIES", theirs.toString());
                copyIndex(own.get(), index);
            }
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot write to " + bare + ": " + Fault.words(e), e);
        }
        List<String> add = new ArrayList<>(List.of("-C", real.toString(), "add", "--all", "--", "."));
        work.options()
                .written()
                .forEach(output -> within(real, output).ifPresent(name -> add.add(":(exclude,literal)" + name)));
        byte[] _ = work.program().output(git.call(add, environment), cancellation);
        byte[] id = work.program()
                .output(git.call(List.of("-C", real.toString(), "write-tree"), environment), cancellation);
        return new String(id, StandardCharsets.US_ASCII).strip();
    }

    /// The path of a folder below `real`; of one that is not there yet there is nothing to leave out.
    private static Optional<Path> within(Path real, Path output) {
        try {
            Path name = real.relativize(output.toRealPath());
            return name.toString().isEmpty() || name.startsWith("..") ? Optional.empty() : Optional.of(name);
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /// With its time, by which git knows which files were changed in the moment in which it looked.
    private static void copyIndex(Path repository, Path index) throws IOException {
        Path theirs = repository.resolve("index");
        if (Files.exists(theirs)) {
            Files.copy(theirs, index, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        } else {
            Files.deleteIfExists(index);
        }
    }

    /// Of a linked work tree they are the main one's.
    private Path objects(Path repository, Cancellation cancellation) {
        byte[] path = work.program()
                .output(
                        git.call(
                                List.of(
                                        "--git-dir=" + repository,
                                        "rev-parse",
                                        "--path-format=absolute",
                                        "--git-path",
                                        "objects"),
                                work.forFolder()),
                        cancellation);
        return Path.of(new String(path, StandardCharsets.UTF_8).strip());
    }

    @Override
    public void close() {
        reading.lock();
        try {
            store.ifPresent(RepositoryStore::close);
            store = Optional.empty();
        } finally {
            reading.unlock();
        }
    }
}

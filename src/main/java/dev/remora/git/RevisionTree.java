package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The files of one commit (or of a local folder as it is), ready to be listed and laid out. Threads may share it.
public final class RevisionTree {
    private final GitWork work;
    private final GitRepositories all;
    private final GitRepository owner;
    private final Path repository;
    private final String treeish;
    private final Optional<CommitId> commit;
    private final Runnable mend;
    private final ReentrantLock listing = new ReentrantLock();
    private Optional<List<TreeEntry>> entries = Optional.empty();

    /// @param repository the bare repository that holds the files
    /// @param treeish id of a commit or a tree
    /// @param mend fetches everything anew, where the repository turns out to be broken
    RevisionTree(
            GitWork work,
            GitRepositories all,
            GitRepository owner,
            Path repository,
            String treeish,
            Optional<CommitId> commit,
            Runnable mend) {
        this.work = work;
        this.all = all;
        this.owner = owner;
        this.repository = repository;
        this.treeish = treeish;
        this.commit = commit;
        this.mend = mend;
    }

    /// The commit; of a local folder the one that is checked out there, if it is a repository.
    public Optional<CommitId> commit() {
        return commit;
    }

    /// When the commit was made; empty for files that no commit holds.
    public Optional<Instant> committed(Cancellation cancellation) {
        if (commit.isEmpty()) {
            return Optional.empty();
        }
        byte[] seconds = work.local(
                "read the commit " + commit.get().hex(),
                List.of(
                        "--git-dir=" + repository,
                        "show",
                        "--no-patch",
                        "--no-show-signature",
                        "--format=%ct",
                        "--end-of-options",
                        commit.get().hex()),
                cancellation);
        return Optional.of(new String(seconds, StandardCharsets.US_ASCII).strip())
                .filter(text -> text.matches("[0-9]{1,15}"))
                .map(text -> Instant.ofEpochSecond(Long.parseLong(text)));
    }

    /// The id of what is laid out: equal ids are equal trees.
    public String id() {
        return treeish;
    }

    GitRepository owner() {
        return owner;
    }

    Path repository() {
        return repository;
    }

    /// Every file, link and submodule, in Git's order.
    public List<TreeEntry> entries(Cancellation cancellation) {
        listing.lock();
        try {
            if (entries.isEmpty()) {
                entries = Optional.of(TreeEntry.parse(mending(() -> list(cancellation))));
            }
            return entries.get();
        } finally {
            listing.unlock();
        }
    }

    private byte[] list(Cancellation cancellation) {
        return work.local(
                "list the files of " + treeish,
                List.of(
                        "--git-dir=" + repository,
                        "ls-tree",
                        "-r",
                        "-z",
                        "-l",
                        "--full-tree",
                        "--end-of-options",
                        treeish),
                cancellation);
    }

    /// The files that differ from the commit: none of a revision, and of a local folder what was changed, added or
    /// removed there and not committed.
    public List<Bytes> changed(Cancellation cancellation) {
        if (commit.isEmpty() || commit.get().hex().equals(treeish)) {
            return List.of();
        }
        byte[] names = work.local(
                "compare " + treeish + " with its commit",
                List.of(
                        "--git-dir=" + repository,
                        "diff-tree",
                        "-r",
                        "-z",
                        "--name-only",
                        "--no-renames",
                        "--end-of-options",
                        commit.get().hex(),
                        treeish),
                cancellation);
        List<Bytes> all = new java.util.ArrayList<>();
        int from = 0;
        for (int at = 0; at < names.length; at++) {
            if (names[at] == 0) {
                all.add(Bytes.of(names, from, at));
                from = at + 1;
            }
        }
        return all;
    }

    /// The object id of a folder or file: what is below it has not changed while this has not. Empty where there is
    /// none.
    ///
    /// @param path from the root, clean; empty for the root
    public Optional<String> objectAt(String path, Cancellation cancellation) {
        Outcome outcome = work.program()
                .run(
                        new GitProgram.Call(
                                "look up " + path,
                                List.of(
                                        "--git-dir=" + repository,
                                        "rev-parse",
                                        "--verify",
                                        "--quiet",
                                        "--end-of-options",
                                        treeish + ":" + path),
                                work.local(),
                                work.times().local()),
                        cancellation);
        return outcome instanceof Outcome.Exited exited && exited.status() == 0
                ? Optional.of(new String(exited.output().stdout(), StandardCharsets.US_ASCII).strip())
                : Optional.empty();
    }

    /// Lays the files out in `folder`: afterwards it holds exactly them, as `git checkout` writes them, whatever it
    /// held before. What is there already is not written again.
    ///
    /// @param folder absolute, exists; nothing may run in it
    /// @param state a folder of ours beside it, which belongs to it and is made here; without it everything is
    ///     written
    public LaidOut layOut(Bytes folder, Bytes state, Cancellation cancellation) {
        return layOut(folder, state, 0, cancellation);
    }

    LaidOut layOut(Bytes folder, Bytes state, int depth, Cancellation cancellation) {
        return mending(() -> new TreeCheckout(work, all, this, folder, state, depth).run(cancellation));
    }

    private <T> T mending(java.util.function.Supplier<T> step) {
        try {
            return step.get();
        } catch (Fault fault) {
            if (!GitFaults.tellsCorruption(Fault.words(fault))) {
                throw fault;
            }
            mend.run();
            return step.get();
        }
    }
}

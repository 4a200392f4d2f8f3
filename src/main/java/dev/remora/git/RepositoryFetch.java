package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import dev.remora.process.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Brings commits into a repository of the cache.
///
/// A commit comes alone, without its history (`--depth=1`), and the server leaves out what its neighbours in the
/// cache already have. Servers that cannot give a single commit are asked for all branches and tags.
final class RepositoryFetch {
    /// Each fetch makes a pack, and git looks into all of them.
    private static final long MANY_PACKS = 40;
    /// Of commits that no process uses any more.
    private static final int KEPT_COMMITS = 16;

    private final GitWork work;
    private final RemoteRepository remote;
    private final RepositoryStore store;

    RepositoryFetch(GitWork work, RemoteRepository remote, RepositoryStore store) {
        this.work = work;
        this.remote = remote;
        this.store = store;
    }

    /// Returns when the commit and all its files are here.
    ///
    /// @param ref by which it was found, for servers that do not give commits by their ids
    void require(CommitId commit, Optional<String> ref, Cancellation cancellation) {
        if (store.has(commit)) {
            return;
        }
        store.alone(work.times().fetch(), cancellation, () -> {
            if (!store.has(commit)) {
                prepare(store.repository(), cancellation);
                fetch(commit, ref, cancellation);
                finish(cancellation);
            }
            return commit;
        });
    }

    /// The repository was found to be broken: everything is fetched anew.
    void again(CommitId commit, Optional<String> ref, Cancellation cancellation) {
        store.alone(work.times().fetch(), cancellation, () -> {
            try {
                FileTree.remove(store.repository());
            } catch (IOException e) {
                throw new Fault(FaultCode.GIT_CACHE, "cannot remove " + store.repository() + ": " + Fault.words(e), e);
            }
            prepare(store.repository(), cancellation);
            fetch(commit, ref, cancellation);
            return commit;
        });
    }

    private void prepare(Path repository, Cancellation cancellation) {
        RepositoryStore.sweep(repository);
        if (!Files.exists(repository.resolve("HEAD")) || !Files.exists(repository.resolve("config"))) {
            byte[] _ = work.local(
                    "make " + repository,
                    List.of("init", "--quiet", "--bare", "--template=", "--", repository.toString()),
                    cancellation);
        }
    }

    private void fetch(CommitId commit, Optional<String> ref, Cancellation cancellation) {
        List<String> alone = new ArrayList<>(common(store.repository()));
        alone.addAll(List.of(
                "--depth=1",
                "--end-of-options",
                remote.url().address(),
                "+" + commit.hex() + ":" + RepositoryStore.ref(commit)));
        try {
            byte[] _ = remote.remotely(what(commit), alone, work.times().fetch(), cancellation);
        } catch (Fault fault) {
            String words = Fault.words(fault);
            if (words.contains("not our ref") || words.contains("couldn't find remote ref")) {
                throw absent(commit, ref);
            }
            boolean cannot = words.contains("unadvertised object")
                    || words.contains("does not support shallow")
                    || words.contains("does not allow request");
            if (!cannot) {
                throw fault;
            }
            fetchAll(commit, ref, cancellation);
        }
    }

    private String what(CommitId commit) {
        return "fetch " + commit.shortText() + " of " + remote.url();
    }

    private List<String> common(Path repository) {
        return List.of(
                "--git-dir=" + repository,
                "fetch",
                "--quiet",
                "--no-tags",
                "--no-write-fetch-head",
                "--no-auto-maintenance",
                "--no-recurse-submodules");
    }

    private void fetchAll(CommitId commit, Optional<String> ref, Cancellation cancellation) {
        List<String> everything = new ArrayList<>(common(store.repository()));
        everything.addAll(List.of(
                "--end-of-options",
                remote.url().address(),
                "+refs/heads/*:refs/remora/heads/*",
                "+refs/tags/*:refs/remora/tags/*"));
        ref.filter(name ->
                        name.startsWith("refs/") && !name.startsWith("refs/heads/") && !name.startsWith("refs/tags/"))
                .ifPresent(name -> everything.add("+" + name + ":refs/remora/other/" + commit.hex()));
        byte[] _ = remote.remotely(what(commit), everything, work.times().fetch(), cancellation);
        Outcome found = work.program()
                .run(local(List.of("update-ref", RepositoryStore.ref(commit), commit.hex())), cancellation);
        if (!(found instanceof Outcome.Exited exited && exited.status() == 0)) {
            throw absent(commit, ref);
        }
    }

    private Fault absent(CommitId commit, Optional<String> ref) {
        return new Fault(
                FaultCode.GIT_REVISION,
                ref.map(name -> RemoteRefs.described(name) + " of " + remote.url() + " was at " + commit.shortText()
                                + " a moment ago, and the server has that commit no more; try again")
                        .orElseGet(() -> remote.url() + " has no commit " + commit));
    }

    private GitProgram.Call local(List<String> arguments) {
        List<String> all = new ArrayList<>(List.of("--git-dir=" + store.repository()));
        all.addAll(arguments);
        return new GitProgram.Call(
                "use " + store.repository(), all, work.local(), work.times().local());
    }

    private void finish(Cancellation cancellation) {
        if (RepositoryStore.packs(store.repository()) > MANY_PACKS) {
            byte[] _ = work.program().output(local(List.of("repack", "-d", "-q", "--geometric=2")), cancellation);
        }
        store.measure();
        work.cache().shrink();
    }

    /// While no other process uses the repository: forgets commits of long ago, and what only they held.
    static void tidy(GitWork work, Path folder) {
        Path repository = folder.resolve("repo");
        if (RepositoryStore.packs(repository) <= MANY_PACKS / 2) {
            return;
        }
        try {
            RepositoryStore.sweep(repository);
            RepositoryStore.forgetOldCommits(repository, KEPT_COMMITS);
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot tidy " + repository + ": " + Fault.words(e), e);
        }
        byte[] _ = work.local(
                "tidy " + repository,
                List.of("--git-dir=" + repository, "repack", "-a", "-d", "-q"),
                new Cancellation());
    }

    /// The full id behind a short one. The history of all branches and tags is fetched for it: commits alone where
    /// the server can leave out the rest.
    CommitId complete(String shortId, Cancellation cancellation) {
        Path history = store.history();
        return store.alone(work.times().fetch(), cancellation, () -> {
            prepare(history, cancellation);
            Optional<CommitId> known = lookUp(history, shortId, cancellation);
            if (known.isPresent()) {
                return known.get();
            }
            List<String> commits = new ArrayList<>(common(history));
            commits.addAll(List.of(
                    "--filter=tree:0",
                    "--end-of-options",
                    remote.url().address(),
                    "+refs/heads/*:refs/remora/heads/*",
                    "+refs/tags/*:refs/remora/tags/*"));
            byte[] _ = remote.remotely(
                    "fetch the history of " + remote.url(),
                    commits,
                    work.times().fetch(),
                    cancellation);
            store.measure();
            return lookUp(history, shortId, cancellation)
                    .orElseThrow(() -> new Fault(
                            FaultCode.GIT_REVISION,
                            "unable to resolve '" + shortId + "': no branch and no tag of " + remote.url()
                                    + " holds a commit whose id begins so"));
        });
    }

    private Optional<CommitId> lookUp(Path history, String shortId, Cancellation cancellation) {
        GitProgram.Call call = new GitProgram.Call(
                "look up " + shortId,
                List.of("--git-dir=" + history, "rev-parse", "--verify", "--end-of-options", shortId + "^{commit}"),
                work.local().with("GIT_NO_LAZY_FETCH", "1"),
                work.times().local());
        Outcome outcome = work.program().run(call, cancellation);
        if (outcome instanceof Outcome.Exited exited) {
            if (exited.status() == 0) {
                String hex = new String(exited.output().stdout(), StandardCharsets.US_ASCII).strip();
                return Optional.of(new CommitId(hex));
            }
            if (exited.output().stderr().contains("is ambiguous")) {
                throw new Fault(
                        FaultCode.GIT_AMBIGUOUS,
                        "the commit id " + shortId + " is the beginning of several in " + remote.url()
                                + "; write more digits");
            }
            return Optional.empty();
        }
        throw GitFaults.of(call.what(), outcome);
    }
}

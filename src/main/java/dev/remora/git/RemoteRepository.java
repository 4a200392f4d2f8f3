package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// A repository on a server. Its refs are listed once while the list is fresh, and each commit is fetched once; the
/// lock makes others wait for that.
final class RemoteRepository implements GitRepository, AutoCloseable {
    private static final int ATTEMPTS = 2;
    private static final Duration PAUSE = Duration.ofMillis(500);
    /// A failure counts for all who waited, and for who comes right after them.
    private static final Duration FAILURE_COUNTS = Duration.ofSeconds(10);

    private final GitWork work;
    private final RepositoryUrl url;
    private final Access access;
    private final GitRepositories all;
    private final ReentrantLock asking = new ReentrantLock();
    private final Map<CommitId, RevisionTree> trees = new HashMap<>();
    private final Map<String, CommitId> completed = new HashMap<>();
    private Optional<Listing> listing = Optional.empty();
    private Optional<Failure> failure = Optional.empty();
    private Optional<RepositoryStore> store = Optional.empty();

    private record Listing(RemoteRefs refs, Instant until) {}

    private record Failure(Fault fault, Instant until) {}

    RemoteRepository(GitWork work, RepositoryUrl url, Access access, GitRepositories all) {
        this.work = work;
        this.url = url;
        this.access = access;
        this.all = all;
    }

    @Override
    public RepositoryUrl url() {
        return url;
    }

    @Override
    public Access access() {
        return access;
    }

    @Override
    public Resolution resolve(String revision, String tagPrefix, Cancellation cancellation) {
        return new RevisionResolver(url.toString(), () -> refs(cancellation)).resolve(revision, tagPrefix);
    }

    /// Every ref of the server.
    RemoteRefs refs(Cancellation cancellation) {
        asking.lock();
        try {
            Instant now = work.options().clock().instant();
            if (listing.filter(known -> now.isBefore(known.until())).isPresent()) {
                return listing.get().refs();
            }
            RemoteRefs refs = remembering(() -> ask(cancellation));
            Instant until = work.options().clock().instant().plus(work.options().fresh());
            listing = Optional.of(new Listing(refs, until));
            return refs;
        } finally {
            asking.unlock();
        }
    }

    /// A server that does not answer is not asked again by each who waited meanwhile.
    private <T> T remembering(java.util.function.Supplier<T> question) {
        Instant now = work.options().clock().instant();
        if (failure.filter(known -> now.isBefore(known.until())).isPresent()) {
            throw failure.get().fault();
        }
        try {
            return question.get();
        } catch (Fault fault) {
            if (fault.code() != FaultCode.CALL_CANCELLED) {
                failure = Optional.of(
                        new Failure(fault, work.options().clock().instant().plus(FAILURE_COUNTS)));
            }
            throw fault;
        }
    }

    private RemoteRefs ask(Cancellation cancellation) {
        if (work.options().offline()) {
            return RemoteRefs.parse(
                    store().listing().orElseThrow(() -> offline("its branches and tags were never listed")));
        }
        byte[] listed = remotely(
                "list the refs of " + url,
                List.of("ls-remote", "--symref", "--quiet", "--", url.address()),
                work.times().ask(),
                cancellation);
        store().keepListing(listed);
        return RemoteRefs.parse(listed);
    }

    private Fault offline(String why) {
        return new Fault(
                FaultCode.GIT_NETWORK,
                "--offline: " + url + " is not in the cache: " + why + "; run it once without --offline");
    }

    /// A command that talks to the server; tried again where the network broke.
    byte[] remotely(String what, List<String> arguments, Duration time, Cancellation cancellation) {
        if (work.options().offline()) {
            throw offline("cannot " + what);
        }
        for (int attempt = 1; ; attempt++) {
            try (GitSession session = work.session(url, access)) {
                try {
                    return work.program()
                            .output(new GitProgram.Call(what, arguments, session.environment(), time), cancellation);
                } catch (Fault fault) {
                    Fault explained = session.explained(fault);
                    if (explained.code() != FaultCode.GIT_NETWORK
                            || attempt == ATTEMPTS
                            || cancellation.isCancelled()) {
                        throw attempt == 1 ? explained : explained.in("(" + attempt + " attempts) ");
                    }
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public RevisionTree tree(Resolution resolution, Cancellation cancellation) {
        asking.lock();
        try {
            CommitId commit = resolution.commit().orElseGet(() -> complete(resolution.answered(), cancellation));
            RevisionTree known = trees.get(commit);
            if (known != null) {
                return known;
            }
            RepositoryFetch fetch = new RepositoryFetch(work, this, store());
            fetch.require(commit, resolution.ref(), cancellation);
            RevisionTree tree = new RevisionTree(
                    work,
                    all,
                    this,
                    store().repository(),
                    commit.hex(),
                    Optional.of(commit),
                    () -> fetch.again(commit, resolution.ref(), new Cancellation()));
            trees.put(commit, tree);
            return tree;
        } finally {
            asking.unlock();
        }
    }

    private CommitId complete(String shortId, Cancellation cancellation) {
        CommitId known = completed.get(shortId);
        if (known == null) {
            known = new RepositoryFetch(work, this, store()).complete(shortId, cancellation);
            completed.put(shortId, known);
        }
        return known;
    }

    private RepositoryStore store() {
        if (store.isEmpty()) {
            RepositoryStore opened = RepositoryStore.open(
                    work.cache().folder(url.address()), url.toString(), folder -> RepositoryFetch.tidy(work, folder));
            opened.touch();
            store = Optional.of(opened);
        }
        return store.get();
    }

    /// No tree of it may be laid out any more.
    @Override
    public void close() {
        asking.lock();
        try {
            store.ifPresent(RepositoryStore::close);
            store = Optional.empty();
        } finally {
            asking.unlock();
        }
    }
}

package dev.remora.git;

import dev.remora.posix.Bytes;
import dev.remora.process.CommandRunner;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The repositories of one run, by the `git` program: the door to this package.
///
/// ```java
/// try (GitRepositories git = GitRepositories.open(GitOptions.ofThisUser(System.getenv()), commands)) {
///     GitRepository repository = git.repository(RepositoryUrl.of(source.repoUrl()), project);
///     Resolution resolution = repository.resolve(source.targetRevision(), source.tagPrefix(), cancellation);
///     LaidOut laid = repository.tree(resolution, cancellation).layOut(folder, state, cancellation);
/// }
/// ```
///
/// Many threads may use it at once; the lock guards the list of repositories.
public final class GitRepositories implements AutoCloseable {
    private final GitWork work;
    private final PrivateFolder folder;
    private final Map<Key, GitRepository> repositories = new HashMap<>();

    private record Key(String address, String project, Access access) {}

    private GitRepositories(GitWork work, PrivateFolder folder) {
        this.work = work;
        this.folder = folder;
    }

    /// Opens the cache for one run.
    ///
    /// @throws dev.remora.fault.Fault GIT_PROGRAM where git is absent or too old
    public static GitRepositories open(GitOptions options, CommandRunner commands) {
        PrivateFolder folder = PrivateFolder.open(options.runtime());
        try {
            GitProgram program =
                    new GitProgram(commands, Bytes.utf8(folder.path().toString()));
            GitWork work = new GitWork(options, program, folder);
            program.requireVersion(work.local(), options.times().local());
            return new GitRepositories(work, folder);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /// The repository that an Application of this project means; the same one each time.
    ///
    /// @param project decides between Secrets of one URL, as in Argo CD
    public GitRepository repository(RepositoryUrl url, String project) {
        Access access = work.options().credentials().find(url, project).orElse(Access.OWN);
        return repository(url, project, access);
    }

    /// What a plugin may borrow for a source of this repository.
    public LoginLoans loans(RepositoryUrl url, String project) {
        return LoginLoans.of(
                work, url, work.options().credentials().find(url, project).orElse(Access.OWN));
    }

    /// As [#repository], without a login of its own on the same server with its parent's.
    GitRepository submodule(RepositoryUrl url, GitRepository parent) {
        boolean sameServer = url.kind() == parent.url().kind()
                && !url.host().isEmpty()
                && url.host().equalsIgnoreCase(parent.url().host());
        Access access = work.options().credentials().find(url, "").orElse(sameServer ? parent.access() : Access.OWN);
        return repository(url, "", access);
    }

    private GitRepository repository(RepositoryUrl url, String project, Access access) {
        synchronized (repositories) {
            return repositories.computeIfAbsent(new Key(url.address(), project, access), _ -> made(url, access));
        }
    }

    private GitRepository made(RepositoryUrl url, Access access) {
        Optional<Path> mapped = Optional.ofNullable(work.options().folders().get(url));
        if (mapped.isPresent()) {
            return new FolderRepository(work, url, mapped.get(), access, this);
        }
        RemoteRepository server = new RemoteRepository(work, url, access, this);
        Optional<Path> checkout = Optional.ofNullable(work.options().checkouts().get(url));
        return checkout.<GitRepository>map(path -> new CheckoutRepository(work, this, server, path))
                .orElse(server);
    }

    /// Nothing of it may be in use any more. Removes what the cache has too much.
    @Override
    public void close() {
        synchronized (repositories) {
            repositories.values().forEach(repository -> {
                switch (repository) {
                    case RemoteRepository remote -> remote.close();
                    case FolderRepository local -> local.close();
                    case CheckoutRepository both -> both.close();
                }
            });
            repositories.clear();
        }
        try {
            work.cache().shrink();
        } finally {
            folder.close();
        }
    }
}

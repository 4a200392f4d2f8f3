package dev.remora.git;

import dev.remora.process.Cancellation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// What all repositories of a run share: the program, the environment, the logins, the folders.
///
/// Threads may share it; the lock guards the user's own configuration, which is read once.
final class GitWork {
    private final GitOptions options;
    private final GitProgram program;
    private final PrivateFolder folder;
    private final RepositoryCache cache;
    private final GithubAppTokens tokens;
    private final GitEnvironment fixed;
    private final ReentrantLock reading = new ReentrantLock();
    private Optional<OwnGit> own = Optional.empty();

    GitWork(GitOptions options, GitProgram program, PrivateFolder folder) {
        this.options = options;
        this.program = program;
        this.folder = folder;
        this.cache = new RepositoryCache(options.cache(), options.cacheBytes());
        this.tokens = new GithubAppTokens(options.clock());
        this.fixed = GitEnvironment.fixed(
                        options.environment().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin"),
                        folder.path().toString())
                .with(OwnGit.network(options.environment()));
    }

    GitOptions options() {
        return options;
    }

    GitProgram program() {
        return program;
    }

    RepositoryCache cache() {
        return cache;
    }

    GithubAppTokens tokens() {
        return tokens;
    }

    GitTimes times() {
        return options.times();
    }

    PrivateFolder folder() {
        return folder;
    }

    /// For work on this machine only: no login, no server.
    GitEnvironment local() {
        return fixed.configured("protocol.allow", "never").configured("safe.directory", "*");
    }

    /// For work on a folder of the user's.
    GitEnvironment forFolder() {
        return own().forFolder(fixed);
    }

    GitSession session(RepositoryUrl url, Access access) {
        GitEnvironment base = fixed.configured(List.of(
                new GitEnvironment.Setting("http.lowSpeedLimit", "1000"),
                new GitEnvironment.Setting(
                        "http.lowSpeedTime",
                        Long.toString(Math.max(1, times().stalled().toSeconds())))));
        return GitSession.open(folder, base, this::own, url, access, tokens);
    }

    private OwnGit own() {
        reading.lock();
        try {
            if (own.isEmpty()) {
                own = Optional.of(OwnGit.read(program, options.environment(), folder.path(), times().local()));
            }
            return own.get();
        } finally {
            reading.unlock();
        }
    }

    /// A local command; what it printed.
    byte[] local(String what, List<String> arguments, Cancellation cancellation) {
        return program.output(new GitProgram.Call(what, arguments, local(), times().local()), cancellation);
    }
}

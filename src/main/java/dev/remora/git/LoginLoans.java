package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Secret;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.telemetry.Mask;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// What a plugin with `provideGitCreds` may borrow: the login of its own source, for the time of one call, by the
/// variables that Argo CD gives (docs/spec/git.md, "Lending a login"). Made by `GitRepositories.loans`.
///
/// Threads may share it.
public final class LoginLoans {
    /// Lends nothing.
    public static final LoginLoans NONE = new LoginLoans(Optional.empty());

    /// What Argo CD calls the user of a token.
    private static final String TOKEN_USER = "x-access-token";

    private final Optional<Source> source;

    record Source(GitWork work, RepositoryUrl url, Access access) {}

    private LoginLoans(Optional<Source> source) {
        this.source = source;
    }

    static LoginLoans of(GitWork work, RepositoryUrl url, Access access) {
        return new LoginLoans(Optional.of(new Source(work, url, GitSession.meant(url, access))));
    }

    /// Whether there is something to lend.
    public boolean isEmpty() {
        return source.filter(each -> !(each.access().login() instanceof Login.Own))
                .isEmpty();
    }

    /// Lends to commands of this user on this machine.
    ///
    /// @param scripts a folder that the commands may read; empty: one of ours
    /// @param searchPath the commands' `PATH`
    public Loan here(Optional<Path> scripts, String searchPath) {
        return source.map(from -> {
                    PrivateFolder own = from.work().folder();
                    AskPass shell = new ShellAskPass(own, scripts.orElse(own.path()), searchPath);
                    return lend(from, shell, true);
                })
                .orElseGet(Loan::ofNothing);
    }

    /// Lends to commands of a plugin server.
    ///
    /// @param askPass whose socket that server's commands can reach
    public Loan elsewhere(AskPass askPass) {
        return source.map(from -> lend(from, askPass, false)).orElseGet(Loan::ofNothing);
    }

    /// A path for a socket in a folder that only we may enter.
    public Path freshSocket() {
        return source.map(from -> from.work().folder().fresh(".s"))
                .orElseThrow(() -> new IllegalStateException("nothing is lent"));
    }

    private static Loan lend(Source from, AskPass askPass, boolean here) {
        Making loan = new Making(from, here);
        try {
            switch (from.url().kind()) {
                case FILE -> {}
                case SSH -> loan.ssh();
                case HTTP, HTTPS -> loan.http(askPass);
            }
            return loan.made();
        } catch (RuntimeException e) {
            loan.made().close();
            throw e;
        }
    }

    /// A loan as it is put together, in the order of Argo CD's variables.
    private static final class Making {
        private final Source from;
        private final boolean here;
        private final List<EnvironmentVariable> variables = new ArrayList<>();
        private final List<AutoCloseable> open = new ArrayList<>();
        private final List<String> secrets = new ArrayList<>();

        Making(Source from, boolean here) {
            this.from = from;
            this.here = here;
        }

        Loan made() {
            return new Loan(variables, open, Mask.of(secrets));
        }

        void http(AskPass askPass) {
            Transport transport = from.access().transport();
            switch (from.access().login()) {
                case Login.Password(String user, Secret password) -> {
                    tls(transport);
                    if (transport.basicAtOnce()) {
                        String both = user + ":" + password.reveal();
                        String basic = Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
                        secrets.add(basic);
                        set("ARGOCD_GIT_AUTH_HEADER", "Authorization: Basic " + basic);
                    }
                    ask(askPass, user, password);
                }
                case Login.Bearer(Secret token) -> {
                    tls(transport);
                    set("ARGOCD_GIT_BEARER_AUTH_HEADER", "Authorization: Bearer " + token.reveal());
                    ask(askPass, TOKEN_USER, token);
                }
                case Login.GithubApp app -> {
                    tls(transport);
                    ask(askPass, TOKEN_USER, from.work().tokens().token(app, from.url(), transport));
                }
                case Login.SshKey _, Login.Own _ -> {}
            }
        }

        private void tls(Transport transport) {
            if (transport.clientCertificate().isPresent()) {
                throw new Fault(
                        FaultCode.GIT_CREDENTIALS,
                        "the client certificate from " + from.access().from()
                                + " cannot be lent to a plugin: its key would have to lie on the disk");
            }
            if (transport.insecure()) {
                set("GIT_SSL_NO_VERIFY", "true");
            }
            if (here) {
                transport
                        .certificateAuthority()
                        .ifPresent(pem -> set(
                                "GIT_SSL_CAINFO",
                                from.work().folder().file(".ca", pem).toString()));
            }
        }

        private void ask(AskPass askPass, String user, Secret password) {
            if (user.indexOf('\n') >= 0 || password.reveal().indexOf('\n') >= 0) {
                throw new Fault(
                        FaultCode.GIT_CREDENTIALS,
                        "the user name or password from " + from.access().from() + " holds a line break");
            }
            secrets.add(password.reveal());
            String nonce = UUID.randomUUID().toString();
            AskPass.Place place = askPass.open(nonce, user, password);
            open.add(place);
            set("GIT_ASKPASS", "argocd");
            set("ARGOCD_GIT_ASKPASS_NONCE", nonce);
            set("GIT_TERMINAL_PROMPT", "0");
            set("ARGOCD_BINARY_NAME", "argocd-git-ask-pass");
            set("ARGOCD_ASK_PASS_SOCK", place.socket().toString());
            variables.addAll(place.variables());
        }

        /// The key stays in our memory: `ssh` gets an agent's socket where Argo CD gives it a file.
        void ssh() {
            if (!(from.access().login() instanceof Login.SshKey(Secret key))) {
                return;
            }
            secrets.add(key.reveal());
            GitSession session = from.work().session(from.url(), from.access());
            open.add(session);
            for (String name : List.of("GIT_SSH_COMMAND", "SOCKS5_USER", "SOCKS5_PASSWD")) {
                session.environment().value(name).ifPresent(value -> set(name, value));
            }
        }

        private void set(String name, String value) {
            variables.add(EnvironmentVariable.of(name, value));
        }
    }
}

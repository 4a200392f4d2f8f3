package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Secret;
import dev.remora.telemetry.Mask;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The login of one git command: its environment, and the sockets on which git and ssh ask for what is secret.
/// Nothing of it outlives the command.
///
/// Ways of a secret, in order of preference: a password through [CredentialSocket], a key of SSH through
/// [SshAgentSocket], the key of a client certificate as an encrypted file whose passphrase goes through the first.
/// Only a bearer token and a password that is to be sent unasked have no other way than a variable of git's own
/// process.
final class GitSession implements AutoCloseable {
    private static final Pattern PROXY_HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:]+]");

    private final PrivateFolder folder;
    private final RepositoryUrl url;
    private final Access access;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<java.nio.file.Path> files = new ArrayList<>();
    private final List<String> secrets = new ArrayList<>();
    private Optional<CredentialSocket> credentials = Optional.empty();
    private GitEnvironment environment;

    private GitSession(PrivateFolder folder, RepositoryUrl url, Access access, GitEnvironment base) {
        this.folder = folder;
        this.url = url;
        this.access = access;
        this.environment = base;
    }

    /// @param base the fixed environment
    /// @param own asked only for a login of the user's own
    static GitSession open(
            PrivateFolder folder,
            GitEnvironment base,
            java.util.function.Supplier<OwnGit> own,
            RepositoryUrl url,
            Access access,
            GithubAppTokens tokens) {
        GitSession session = new GitSession(folder, url, meant(url, access), base);
        try {
            session.prepare(own, tokens);
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /// A login that the URL itself carries counts where there is no other.
    static Access meant(RepositoryUrl url, Access access) {
        return url.login()
                .filter(_ -> access.login() instanceof Login.Own)
                .map(login -> new Access(login, access.transport(), "the repository's URL"))
                .orElse(access);
    }

    private void prepare(java.util.function.Supplier<OwnGit> own, GithubAppTokens tokens) {
        switch (url.kind()) {
            case FILE -> environment = environment.configured("safe.directory", "*");
            case SSH -> {
                if (access.login() instanceof Login.Own
                        && access.transport().knownHosts().isEmpty()) {
                    environment = own.get().forLogin(environment);
                } else {
                    prepareSsh();
                }
            }
            case HTTP, HTTPS -> {
                if (access.login() instanceof Login.Own) {
                    environment = own.get().forLogin(environment);
                    url.login().ifPresent(login -> configure("credential.username", login.user()));
                } else {
                    configure("credential.helper", "");
                }
                prepareHttp(tokens);
            }
        }
    }

    GitEnvironment environment() {
        return environment;
    }

    private void configure(String key, String value) {
        environment = environment.configured(key, value);
    }

    private void prepareHttp(GithubAppTokens tokens) {
        List<CredentialSocket.Answer> answers = new ArrayList<>();
        String scheme = url.kind().name().toLowerCase(Locale.ROOT);
        String host = url.host().toLowerCase(Locale.ROOT);
        String scope = "http." + scheme + "://" + url.host() + "/.";
        switch (access.login()) {
            case Login.Password(String user, Secret password) -> {
                answers.add(answer(scheme, host, user, password));
                if (access.transport().basicAtOnce()) {
                    String both = user + ":" + password.reveal();
                    String basic = Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
                    secrets.add(basic);
                    configure(scope + "extraHeader", "Authorization: Basic " + basic);
                }
            }
            case Login.Bearer(Secret token) -> {
                secrets.add(token.reveal());
                configure(scope + "extraHeader", "Authorization: Bearer " + token.reveal());
            }
            case Login.GithubApp app -> {
                Secret token = tokens.token(app, url, access.transport());
                answers.add(answer(scheme, host, "x-access-token", token));
            }
            case Login.SshKey _, Login.Own _ -> {}
        }
        prepareTls(scope, answers);
        prepareProxy(answers);
        if (!answers.isEmpty()) {
            CredentialSocket socket = new CredentialSocket(folder.fresh(".s"), answers);
            open.add(socket);
            credentials = Optional.of(socket);
            configure("credential.helper", socket.helper());
        }
    }

    private CredentialSocket.Answer answer(String protocol, String host, String user, Secret secret) {
        if (user.indexOf('\n') >= 0 || secret.reveal().indexOf('\n') >= 0) {
            throw new Fault(
                    FaultCode.GIT_CREDENTIALS,
                    "the user name or password from " + access.from() + " holds a line break");
        }
        secrets.add(secret.reveal());
        return new CredentialSocket.Answer(protocol, host, user, secret);
    }

    private void prepareTls(String scope, List<CredentialSocket.Answer> answers) {
        Transport transport = access.transport();
        if (transport.insecure()) {
            configure(scope + "sslVerify", "false");
        }
        transport.certificateAuthority().ifPresent(pem -> configure(scope + "sslCAInfo", file(".ca", pem)));
        transport.clientCertificate().ifPresent(certificate -> {
            EncryptedKey key = EncryptedKey.of(certificate.key(), access.from());
            String certificateFile = file(".crt", certificate.certificate());
            configure(scope + "sslCert", certificateFile);
            configure(scope + "sslKey", file(".key", key.pem()));
            configure(scope + "sslCertPasswordProtected", "true");
            answers.add(answer("cert", "", "", key.passphrase()));
        });
    }

    private void prepareProxy(List<CredentialSocket.Answer> answers) {
        access.transport().proxy().ifPresent(proxy -> {
            URI uri = proxyUri(proxy);
            String user = Optional.ofNullable(uri.getUserInfo()).orElse("");
            String[] login = user.split(":", 2);
            String place = place(uri);
            if (login.length == 2) {
                answers.add(answer(uri.getScheme(), place.toLowerCase(Locale.ROOT), login[0], new Secret(login[1])));
            }
            String at = login[0].isEmpty() ? "" : java.net.URLEncoder.encode(login[0], StandardCharsets.UTF_8) + "@";
            configure("http.proxy", uri.getScheme() + "://" + at + place);
            environment = environment.with("no_proxy", access.transport().noProxy());
        });
    }

    private static String place(URI proxy) {
        return proxy.getHost() + (proxy.getPort() < 0 ? "" : ":" + proxy.getPort());
    }

    private URI proxyUri(Secret proxy) {
        try {
            URI uri = new URI(proxy.reveal());
            if (uri.getScheme() != null
                    && uri.getHost() != null
                    && PROXY_HOST.matcher(uri.getHost()).matches()) {
                return uri;
            }
        } catch (java.net.URISyntaxException e) {
            throw badProxy();
        }
        throw badProxy();
    }

    private Fault badProxy() {
        return new Fault(
                FaultCode.GIT_CREDENTIALS,
                "the proxy from " + access.from() + " is no URL such as http://proxy.example.com:3128");
    }

    private void prepareSsh() {
        List<String> options = new ArrayList<>(List.of(
                "BatchMode=yes",
                "ConnectTimeout=20",
                "ServerAliveInterval=15",
                "ServerAliveCountMax=4",
                "UpdateHostKeys=no",
                "ControlPath=none"));
        Transport transport = access.transport();
        if (transport.insecure()) {
            options.addAll(List.of("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null"));
        } else {
            options.add("StrictHostKeyChecking=yes");
            transport.knownHosts().ifPresent(lines -> {
                options.add("UserKnownHostsFile=" + file(".hosts", lines));
                options.add("GlobalKnownHostsFile=/dev/null");
            });
        }
        if (access.login() instanceof Login.SshKey(Secret key)) {
            secrets.add(key.reveal());
            SshAgentSocket agent = new SshAgentSocket(folder.fresh(".a"), identity(key));
            open.add(agent);
            options.addAll(
                    List.of("IdentityFile=none", "PasswordAuthentication=no", "KbdInteractiveAuthentication=no"));
            options.add("IdentityAgent=" + agent.path());
        }
        transport.proxy().ifPresent(proxy -> options.add("ProxyCommand=" + socks(proxyUri(proxy))));
        StringBuilder command = new StringBuilder("ssh -F /dev/null");
        options.forEach(option ->
                command.append(" -o '").append(option.replace("'", "'\\''")).append('\''));
        environment = environment.with("GIT_SSH_COMMAND", command.toString()).with("GIT_SSH_VARIANT", "ssh");
    }

    /// As Argo CD reaches SSH servers through a proxy.
    private String socks(URI proxy) {
        String[] login = Optional.ofNullable(proxy.getUserInfo()).orElse("").split(":", 2);
        if (!login[0].isEmpty()) {
            environment = environment.with("SOCKS5_USER", login[0]);
        }
        if (login.length == 2) {
            secrets.add(login[1]);
            environment = environment.with("SOCKS5_PASSWD", login[1]);
        }
        return "connect-proxy -S " + place(proxy) + " -5 %h %p";
    }

    private SshIdentity identity(Secret key) {
        try {
            return SshIdentity.of(key);
        } catch (IllegalArgumentException e) {
            throw new Fault(FaultCode.GIT_CREDENTIALS, "sshPrivateKey from " + access.from() + ": " + Fault.words(e));
        }
    }

    private String file(String suffix, String content) {
        java.nio.file.Path file = folder.file(suffix, content);
        files.add(file);
        return file.toString();
    }

    /// The fault with what we know about the login, and without any secret.
    Fault explained(Fault fault) {
        Fault masked = fault.reworded(Mask.of(secrets)::apply);
        boolean refused = credentials.filter(CredentialSocket::refused).isPresent();
        boolean asked = credentials.filter(CredentialSocket::asked).isPresent();
        if (refused) {
            return with(masked, FaultCode.GIT_LOGIN, "the server refuses the login from " + access.from());
        }
        return switch (masked.code()) {
            case GIT_LOGIN ->
                with(
                        masked,
                        FaultCode.GIT_LOGIN,
                        access.login() instanceof Login.Own
                                ? "the server wants a login, and your own git has none that it takes; give one with"
                                        + " --credentials, or log in with your own git"
                                : "the server refuses the login from " + access.from());
            case GIT_ABSENT ->
                with(
                        masked,
                        FaultCode.GIT_ABSENT,
                        asked || !(access.login() instanceof Login.Own)
                                ? "with the login from " + access.from()
                                : "without a login; a server may hide a private repository in this way");
            default -> masked;
        };
    }

    private static Fault with(Fault fault, FaultCode code, String advice) {
        Problem first = fault.problems().getFirst();
        return new Fault(code, new Problem(first.where(), first.message(), Optional.of(advice)));
    }

    @Override
    public void close() {
        for (AutoCloseable socket : open) {
            try {
                socket.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        files.forEach(GitSession::remove);
    }

    private static void remove(java.nio.file.Path file) {
        try {
            java.nio.file.Files.deleteIfExists(file);
        } catch (java.io.IOException withTheFolder) {
            return;
        }
    }
}

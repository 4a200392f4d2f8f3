package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.generation.FencePolicy;
import dev.remora.manifest.ManifestDocument;
import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinitionReader;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.process.ExecTimeouts;
import dev.remora.process.ProcessSettings;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.TransportLimits;
import dev.remora.render.LocalHost;
import dev.remora.render.LocalSettings;
import dev.remora.render.RenderRequest;
import dev.remora.render.SidecarHost;
import dev.remora.render.SourceFolder;
import dev.remora.sandbox.SystemFiles;
import dev.remora.sidecar.ServeOptions;
import dev.remora.sidecar.SidecarServer;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.Phases;
import dev.remora.testing.NeedsLandlock;
import dev.remora.testing.NeedsTool;
import dev.remora.testing.Tools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A plugin with `provideGitCreds` clones its own source's repository, with a real git from a real server.
@NeedsTool("git")
class LentLoginTest {
    private static final String PASSWORD = "pass word%s'$(id)\"";

    /// Clones, and tells what it was given; the environment also goes to a file that outlives the render.
    private static final String CLONING = """
            apiVersion: argoproj.io/v1alpha1
            kind: ConfigManagementPlugin
            metadata: {name: cloning}
            spec:
              provideGitCreds: PROVIDES
              generate:
                command: [sh, -ec]
                args:
                - |
                  env >FILE
                  git clone -q "$ARGOCD_APP_SOURCE_REPO_URL" got >&2
                  printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"}}' "$(cat got/f)"
            """;

    private static final String TELLING = """
            apiVersion: argoproj.io/v1alpha1
            kind: ConfigManagementPlugin
            metadata: {name: telling}
            spec:
              provideGitCreds: true
              generate:
                command: [sh, -c, 'argocd "Username for x: " >&2; argocd "Password for x: " >&2; argocd other; exit $?']
            """;

    @TempDir
    private Path root;

    private GitHttpServer server;
    private CommandRunner runner;

    @BeforeEach
    void start() throws IOException {
        SourceRepository.in(root.resolve("served/team/app.git"))
                .write("f", "found")
                .commit("first");
        server = GitHttpServer.start(root.resolve("served"));
        runner = CommandRunner.open(ProcessSettings.standard(Bytes.utf8(Tools.path())));
        Files.createDirectories(root.resolve("work"));
        Files.createDirectories(root.resolve("source"));
        Files.writeString(root.resolve("source/x"), "x");
    }

    @AfterEach
    void stop() {
        runner.close();
        server.close();
    }

    private CredentialBook secret(String fields) throws IOException {
        Path file = Files.createDirectories(root.resolve("secret")).resolve("creds.yaml");
        Files.writeString(file, """
                apiVersion: v1
                kind: Secret
                metadata: {name: team, labels: {argocd.argoproj.io/secret-type: repo-creds}}
                stringData:
                  url: %s
                %s
                """.formatted(server.url("team"), fields.indent(2)));
        return CredentialFiles.read(List.of(file));
    }

    private CredentialBook password() throws IOException {
        return secret("username: deploy\npassword: \"" + PASSWORD.replace("\"", "\\\"") + "\"");
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private String cloning(boolean provides) {
        return CLONING.replace("PROVIDES", String.valueOf(provides))
                .replace("FILE", root.resolve("environment").toString());
    }

    private LocalHost local(String definition) {
        return new LocalHost(
                PluginDefinitionReader.read(definition.getBytes(StandardCharsets.UTF_8), "plugin.yaml"),
                new LocalSettings(
                        Bytes.utf8(root.resolve("work").toString()),
                        Optional.empty(),
                        Departures.NONE_SWITCHED_BACK,
                        ExecTimeouts.DEFAULT,
                        true,
                        TransportLimits.DEFAULT_MESSAGE_BYTES,
                        new FencePolicy(FencePolicy.Level.BY_DEFINITION, new SystemFiles(System.getenv(), List.of()))),
                runner,
                CommandEnvironment.ofThisProcess(Map.of("PATH", Tools.path(), "HOME", root.toString())));
    }

    private RenderRequest request(GitRun git, String url) {
        return new RenderRequest(
                        new SourceFolder(Bytes.utf8(root.resolve("source").toString()), List.of()),
                        "a",
                        Bytes.utf8("."),
                        "default",
                        List.of(dev.remora.posix.EnvironmentVariable.of("ARGOCD_APP_SOURCE_REPO_URL", url)),
                        Optional.empty(),
                        new Cancellation())
                .lending(git.repositories().loans(RepositoryUrl.of(url), "default"));
    }

    private List<ManifestDocument> generate(CredentialBook book, String definition) {
        try (GitRun git = GitRun.in(root, options -> options.withCredentials(book));
                LocalHost host = local(definition)) {
            return host.generate(request(git, server.url("team/app.git")), new Phases());
        }
    }

    private Map<String, String> environment() throws IOException {
        return Files.readAllLines(root.resolve("environment")).stream()
                .filter(line -> line.indexOf('=') > 0)
                .collect(java.util.stream.Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')),
                        line -> line.substring(line.indexOf('=') + 1),
                        (first, last) -> last));
    }

    /// Below the root, but for the Secret's own file.
    private List<Path> filesWith(String text) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("creds.yaml"))
                    .filter(file -> contains(file, text))
                    .toList();
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    private static void assertCloned(List<ManifestDocument> documents) {
        assertThat(documents).hasSize(1);
        assertThat(new String(documents.getFirst().json(), StandardCharsets.UTF_8))
                .contains("\"name\":\"found\"");
    }

    @Test
    void lendsThePasswordByANonceAndShowsItNowhere() throws IOException {
        server.requiring(basic("deploy", PASSWORD));

        assertCloned(generate(password(), cloning(true)));

        assertThat(environment())
                .containsEntry("GIT_ASKPASS", "argocd")
                .containsEntry("GIT_TERMINAL_PROMPT", "0")
                .containsEntry("ARGOCD_BINARY_NAME", "argocd-git-ask-pass")
                .containsKeys("ARGOCD_GIT_ASKPASS_NONCE", "ARGOCD_ASK_PASS_SOCK")
                .doesNotContainKeys("GIT_USERNAME", "GIT_PASSWORD", "ARGOCD_GIT_AUTH_HEADER");
        assertThat(filesWith(PASSWORD)).isEmpty();
        assertThat(filesWith(basic("deploy", PASSWORD).substring(6))).isEmpty();
    }

    @Test
    void endsWithTheCall() throws IOException {
        server.requiring(basic("deploy", PASSWORD));

        assertCloned(generate(password(), cloning(true)));

        assertThat(Path.of(environment().getOrDefault("ARGOCD_ASK_PASS_SOCK", "")))
                .doesNotExist();
        assertThat(Path.of(environment().getOrDefault("PATH", "").split(":", 2)[0]))
                .doesNotExist();
    }

    @Test
    void lendsNothingToAPluginThatDoesNotAsk() throws IOException {
        server.requiring(basic("deploy", PASSWORD));
        String deaf = cloning(false).replace("git clone", "GIT_TERMINAL_PROMPT=0 git clone");

        assertThatThrownBy(() -> generate(password(), deaf)).isInstanceOf(Fault.class);

        assertThat(environment()).doesNotContainKeys("GIT_ASKPASS", "ARGOCD_GIT_ASKPASS_NONCE");
    }

    @Test
    void masksTheLoginInWhatAFailedCommandSaid() {
        assertThatThrownBy(() -> generate(password(), TELLING))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("exit status 20")
                .hasMessageContaining("deploy")
                .hasMessageContaining("answers git's questions only")
                .satisfies(fault -> assertThat(fault.getMessage()).doesNotContain(PASSWORD));
    }

    @Test
    void lendsTokensAsArgoCdDoes() throws IOException {
        server.requiring("Bearer abc123");

        String definition = cloning(true)
                .replace("git clone", "git --config-env=http.extraHeader=ARGOCD_GIT_BEARER_AUTH_HEADER clone");
        assertCloned(generate(secret("bearerToken: abc123"), definition));

        assertThat(environment()).containsEntry("ARGOCD_GIT_BEARER_AUTH_HEADER", "Authorization: Bearer abc123");
    }

    @Test
    void sendsThePasswordUnaskedWhereTheSecretSaysSo() throws IOException {
        assertCloned(generate(
                secret("username: deploy\npassword: p\nforceHttpBasicAuth: 'true'\ninsecure: 'true'"), cloning(true)));

        assertThat(environment())
                .containsEntry("ARGOCD_GIT_AUTH_HEADER", "Authorization: " + basic("deploy", "p"))
                .containsEntry("GIT_SSL_NO_VERIFY", "true");
    }

    @Test
    void lendsNothingOfTheUsersOwn() throws IOException {
        assertCloned(generate(CredentialBook.EMPTY, cloning(true)));

        assertThat(environment()).doesNotContainKeys("GIT_ASKPASS", "ARGOCD_GIT_ASKPASS_NONCE");
    }

    @Test
    @NeedsLandlock
    void reachesACommandInTheStrictSandboxThatMayUseSockets() throws IOException {
        server.requiring(basic("deploy", PASSWORD));
        String fenced = cloning(true) + """
                remora:
                  sandbox: {network: any, unixSockets: true, writable: [%s]}
                """.formatted(Files.createFile(root.resolve("environment")));

        assertCloned(generate(password(), fenced));
    }

    @Test
    void aPluginServerGetsArgoCdsVariablesInTheirOrder() throws IOException {
        String definition = """
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: p}
                spec:
                  provideGitCreds: true
                  generate:
                    command: [sh, -ec]
                    args:
                    - |
                      env >%s
                      test -S "$ARGOCD_ASK_PASS_SOCK"
                      echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"found"}}'
                """.formatted(root.resolve("environment"));
        Path config = Files.createDirectories(root.resolve("config"));
        Path sockets = Files.createDirectories(root.resolve("sockets"));
        Files.writeString(config.resolve("plugin.yaml"), definition);
        try (SidecarServer sidecar =
                        SidecarServer.start(ServeOptions.at(config, sockets, root.resolve("work")), Log.silent());
                GitRun git = GitRun.in(root, options -> options.withCredentials(passwordOrFail()));
                SidecarHost host = new SidecarHost(sockets.resolve("p.sock"), root, ClientOptions.DEFAULT)) {
            assertThat(sidecar).isNotNull();
            assertCloned(host.generate(request(git, server.url("team/app.git")), new Phases()));
        }
        assertThat(environment())
                .containsEntry("GIT_ASKPASS", "argocd")
                .containsKeys("ARGOCD_GIT_ASKPASS_NONCE", "ARGOCD_ASK_PASS_SOCK");
        assertThat(Path.of(environment().getOrDefault("ARGOCD_ASK_PASS_SOCK", "")))
                .doesNotExist();
        assertThat(filesWith(PASSWORD)).isEmpty();
    }

    private CredentialBook passwordOrFail() {
        try {
            return password();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    @NeedsTool({"git", "sshd", "ssh", "ssh-keygen"})
    void lendsAKeyOfSshByAnAgent() throws Exception {
        Path key = root.resolve("key");
        SshServer.keygen(key, "ed25519", List.of());
        try (SshServer ssh = SshServer.start(root.resolve("ssh"), Files.readString(Path.of(key + ".pub")))) {
            String user = System.getProperty("user.name");
            String url = "ssh://" + user + "@127.0.0.1:" + ssh.port() + root.resolve("served/team/app.git");
            Path file = root.resolve("creds.yaml");
            Files.writeString(
                    file, """
                    kind: List
                    items:
                    - kind: Secret
                      metadata: {name: ssh, labels: {argocd.argoproj.io/secret-type: repo-creds}}
                      stringData:
                        url: ssh://%s@127.0.0.1
                        sshPrivateKey: |
                    %s
                    - kind: ConfigMap
                      metadata: {name: argocd-ssh-known-hosts-cm}
                      data: {ssh_known_hosts: "%s"}
                    """.formatted(user, Files.readString(key).indent(6).stripTrailing(), ssh.knownHost()));
            CredentialBook book = CredentialFiles.read(List.of(file));
            List<String> lines = Files.readAllLines(key);
            Files.delete(key);
            try (GitRun git = GitRun.in(root, options -> options.withCredentials(book));
                    LocalHost host = local(cloning(true))) {
                assertCloned(host.generate(request(git, url), new Phases()));
            }
            assertThat(environment().getOrDefault("GIT_SSH_COMMAND", "")).contains("IdentityAgent=");
            assertThat(filesWith(lines.get(lines.size() - 2))).isEmpty();
        }
    }
}

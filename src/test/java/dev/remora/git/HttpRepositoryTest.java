package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Git over HTTP, by git's own server program.
@NeedsTool("git")
class HttpRepositoryTest {
    private static final String PASSWORD = "pass word%s'$(id)\"";

    @TempDir
    private Path root;

    private SourceRepository source;
    private GitHttpServer server;

    @BeforeEach
    void start() throws IOException {
        source = SourceRepository.in(root.resolve("served/team/app.git"));
        source.write("f", "1").commit("first");
        server = GitHttpServer.start(root.resolve("served"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /// A repository's Secret for the server.
    private CredentialBook secret(String fields) throws IOException {
        Path file = root.resolve("creds.yaml");
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

    @Test
    void asksOnceForManyApplications() {
        try (GitRun git = GitRun.in(root)) {
            for (int i = 0; i < 20; i++) {
                git.layOut(server.url("team/app.git"), "main");
            }

            assertThat(git.folder().resolve("f")).hasContent("1");
            assertThat(server.requests().stream().filter(request -> request.startsWith("GET")))
                    .as("one list of refs, one fetch")
                    .hasSize(2);
        }
    }

    @Test
    void fetchesNothingThatIsHereAlready() {
        try (GitRun git = GitRun.in(root)) {
            git.layOut(server.url("team/app.git"), "main");
        }
        int before = server.requests().size();
        CommitId commit = source.head();

        try (GitRun git = GitRun.in(root)) {
            git.layOut(server.url("team/app.git"), commit.hex());

            assertThat(server.requests()).hasSize(before);
            git.layOut(server.url("team/app.git"), "main");
            assertThat(server.requests().subList(before, server.requests().size()))
                    .as("only the list of refs")
                    .hasSize(2);
        }
    }

    @Test
    void logsInWithThePasswordOfASecretAndShowsItNowhere() throws Exception {
        server.requiring(basic("deploy", PASSWORD));
        CredentialBook book = secret("username: deploy\npassword: " + "\"" + PASSWORD.replace("\"", "\\\"") + "\"");

        try (GitRun git = GitRun.in(root, options -> options.withCredentials(book))) {
            git.layOut(server.url("team/app.git"), "main");

            assertThat(git.folder().resolve("f")).hasContent("1");
        }
        assertThat(filesWith(PASSWORD)).isEmpty();
    }

    /// Below the root, but for the Secret's own file.
    private List<Path> filesWith(String text) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("creds.yaml"))
                    .filter(file -> {
                        try {
                            return Files.readString(file, StandardCharsets.ISO_8859_1)
                                    .contains(text);
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .toList();
        }
    }

    @Test
    void tellsAWrongPasswordFromAnAbsentRepository() throws IOException {
        server.requiring(basic("deploy", PASSWORD));
        CredentialBook wrong = secret("username: deploy\npassword: not-this-one");
        try (GitRun git = GitRun.in(root, options -> options.withCredentials(wrong))) {
            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.tree(server.url("team/app.git"), "main"))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_LOGIN))
                    .withMessageContaining("the server refuses the login from the Secret team in creds.yaml")
                    .satisfies(fault -> assertThat(fault.getMessage()).doesNotContain("not-this-one"));
        }

        CredentialBook right = secret("username: deploy\npassword: " + "\"" + PASSWORD.replace("\"", "\\\"") + "\"");
        try (GitRun git = GitRun.in(root, options -> options.withCredentials(right))) {
            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.tree(server.url("team/other.git"), "main"))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_ABSENT))
                    .withMessageContaining("with the login from the Secret team");
        }
    }

    @Test
    void saysThatALoginIsWantedAndAsksNobody() {
        server.requiring(basic("deploy", PASSWORD));

        try (GitRun git = GitRun.in(root)) {
            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.tree(server.url("team/app.git"), "main"))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_LOGIN))
                    .withMessageContaining("give one with --credentials");
        }
    }

    @Test
    void sendsABearerToken() throws IOException {
        server.requiring("Bearer tok-en");
        CredentialBook book = secret("bearerToken: tok-en");

        try (GitRun git = GitRun.in(root, options -> options.withCredentials(book))) {
            git.layOut(server.url("team/app.git"), "main");

            assertThat(git.folder().resolve("f")).hasContent("1");
        }
    }

    @Test
    void takesTheLoginThatTheUrlCarries() {
        server.requiring(basic("me", "p@ss"));

        try (GitRun git = GitRun.in(root)) {
            git.layOut(server.url("team/app.git").replace("://", "://me:p%40ss@"), "main");

            assertThat(git.folder().resolve("f")).hasContent("1");
        }
    }

    @Test
    void usesTheUsersNetrcAndCredentialHelper() throws IOException {
        server.requiring(basic("me", "mine"));
        Files.createDirectories(root.resolve("home"));
        Path netrc = root.resolve("home/.netrc");
        Files.writeString(netrc, "machine 127.0.0.1 login me password mine\n");
        Files.setPosixFilePermissions(netrc, PosixFilePermissions.fromString("rw-------"));
        try (GitRun git = GitRun.in(root)) {
            git.layOut(server.url("team/app.git"), "main");
        }
        Files.delete(netrc);
        Files.writeString(
                root.resolve("home/.gitconfig"),
                "[credential]\n\thelper = \"!f() { echo username=me; echo password=mine; }; f\"\n");

        source.write("f", "2").commit("second");
        try (GitRun git = GitRun.in(root)) {
            git.layOut(server.url("team/app.git"), "main");

            assertThat(git.folder().resolve("f")).hasContent("2");
        }
    }

    @Test
    void fetchesFromAServerOfTheFirstProtocolWhatNoRefNames() {
        server.withoutVersion2();
        CommitId first = source.head();
        source.write("f", "2").commit("second");

        try (GitRun git = GitRun.in(root)) {
            git.layOut(server.url("team/app.git"), first.hex());

            assertThat(git.folder().resolve("f")).hasContent("1");
            git.layOut(server.url("team/app.git"), "main");
            assertThat(git.folder().resolve("f")).hasContent("2");
        }
    }

    @Test
    void saysThatTheNetworkBroke() throws IOException {
        source.write("large", "x".repeat(3_000_000) + java.util.UUID.randomUUID())
                .commit("large");
        try (CuttingProxy proxy = CuttingProxy.start(server.port(), 2_000);
                GitRun git = GitRun.in(root)) {
            String url = "http://127.0.0.1:" + proxy.port() + "/team/app.git";

            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.tree(url, "main"))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_NETWORK))
                    .withMessageContaining("2 attempts");

            proxy.cutNoMore();
            GitRun.contents(root.resolve("cache")); // whatever is left there does not hinder
        }
        try (CuttingProxy proxy = CuttingProxy.start(server.port(), Integer.MAX_VALUE);
                GitRun git = GitRun.in(root)) {
            git.layOut("http://127.0.0.1:" + proxy.port() + "/team/app.git", "main");

            assertThat(git.folder().resolve("large")).exists();
        }
    }

    @Test
    void saysThatNobodyListens() {
        try (GitRun git = GitRun.in(root)) {
            int port = server.port();
            server.close();

            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() ->
                            git.repository("http://127.0.0.1:" + port + "/x").resolve("main", "", new Cancellation()))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_NETWORK));
        }
    }
}

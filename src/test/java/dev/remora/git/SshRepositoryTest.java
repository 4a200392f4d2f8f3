package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Git over SSH, by OpenSSH's own server.
@NeedsTool({"git", "sshd", "ssh", "ssh-keygen"})
class SshRepositoryTest {
    @TempDir
    private Path root;

    private SourceRepository source() {
        SourceRepository source = SourceRepository.in(root.resolve("served/app.git"));
        source.write("f", "1").commit("first");
        return source;
    }

    private CredentialBook book(String key, String knownHosts) throws IOException {
        Path file = root.resolve("creds.yaml");
        Files.writeString(file, """
                apiVersion: v1
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
                  data:
                    ssh_known_hosts: "%s"
                """.formatted(user(), key.indent(6).stripTrailing(), knownHosts));
        return CredentialFiles.read(List.of(file));
    }

    private static String user() {
        return System.getProperty("user.name");
    }

    private static String url(SshServer server, SourceRepository source) {
        return "ssh://" + user() + "@127.0.0.1:" + server.port() + source.folder();
    }

    /// The older forms of keys: SshIdentityTest.
    @ParameterizedTest
    @CsvSource({"ed25519, ''", "rsa, -b 2048 -m PEM"})
    void logsInWithTheKeyOfASecret(String type, String form) throws Exception {
        SourceRepository source = source();
        Path key = root.resolve("key");
        SshServer.keygen(key, type, form.isEmpty() ? List.of() : List.of(form.split(" ", -1)));
        try (SshServer server = SshServer.start(root.resolve("ssh"), Files.readString(Path.of(key + ".pub")))) {
            String text = Files.readString(key);
            CredentialBook book = book(text, server.knownHost());

            try (GitRun git = GitRun.in(root, options -> options.withCredentials(book))) {
                git.layOut(url(server, source), "main");

                assertThat(git.folder().resolve("f")).hasContent("1");
            }
            List<String> lines = text.strip().lines().toList();
            assertThat(filesWith(lines.get(lines.size() - 2))).isEmpty();
        }
    }

    private List<Path> filesWith(String text) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("creds.yaml") && !file.endsWith("key"))
                    .filter(file -> {
                        try {
                            return Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1)
                                    .contains(text);
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .toList();
        }
    }

    @Test
    void refusesAServerWithAnotherHostKey() throws Exception {
        SourceRepository source = source();
        Path key = root.resolve("key");
        SshServer.keygen(key, "ed25519", List.of());
        SshServer.keygen(root.resolve("other"), "ed25519", List.of());
        try (SshServer server = SshServer.start(root.resolve("ssh"), Files.readString(Path.of(key + ".pub")))) {
            String[] other = Files.readString(root.resolve("other.pub")).split(" ", -1);
            String pinned = "[127.0.0.1]:" + server.port() + " " + other[0] + " " + other[1];
            CredentialBook book = book(Files.readString(key), pinned);

            try (GitRun git = GitRun.in(root, options -> options.withCredentials(book))) {
                assertThatExceptionOfType(Fault.class)
                        .isThrownBy(() -> git.tree(url(server, source), "main"))
                        .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_TRUST));
            }
        }
    }

    @Test
    void tellsAWrongKeyFromAnAbsentRepository() throws Exception {
        SourceRepository source = source();
        Path key = root.resolve("key");
        SshServer.keygen(key, "ed25519", List.of());
        SshServer.keygen(root.resolve("other"), "ed25519", List.of());
        try (SshServer server = SshServer.start(root.resolve("ssh"), Files.readString(Path.of(key + ".pub")))) {
            CredentialBook wrong = book(Files.readString(root.resolve("other")), server.knownHost());
            try (GitRun git = GitRun.in(root, options -> options.withCredentials(wrong))) {
                assertThatExceptionOfType(Fault.class)
                        .isThrownBy(() -> git.tree(url(server, source), "main"))
                        .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_LOGIN))
                        .withMessageContaining("the server refuses the login from the Secret ssh in creds.yaml");
            }
            CredentialBook right = book(Files.readString(key), server.knownHost());
            try (GitRun git = GitRun.in(root, options -> options.withCredentials(right))) {
                assertThatExceptionOfType(Fault.class)
                        .isThrownBy(() -> git.tree(url(server, source) + "-absent", "main"))
                        .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_ABSENT));
            }
        }
    }

    @Test
    void saysThatAKeyIsEncrypted() throws Exception {
        Path key = root.resolve("key");
        SshServer.keygen(key, "ed25519", List.of("-N", "secret"));
        CredentialBook book = book(Files.readString(key), "");

        try (GitRun git = GitRun.in(root, options -> options.withCredentials(book))) {
            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.tree("ssh://" + user() + "@127.0.0.1:1/x", "main"))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_CREDENTIALS))
                    .withMessageContaining("sshPrivateKey from the Secret ssh")
                    .withMessageContaining("encrypted");
        }
    }
}

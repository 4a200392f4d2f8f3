package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// docs/spec/git.md, "Credentials".
class CredentialBookTest {
    @TempDir
    private Path root;

    private CredentialBook book(String text) throws IOException {
        Path file = root.resolve("creds.yaml");
        Files.writeString(file, text);
        return CredentialFiles.read(List.of(file));
    }

    private static String secret(String name, String type, String fields) {
        return """
                ---
                apiVersion: v1
                kind: Secret
                metadata:
                  name: %s
                  labels: {argocd.argoproj.io/secret-type: %s}
                stringData: %s
                """.formatted(name, type, fields);
    }

    private static String user(CredentialBook book, String url, String project) {
        return book.find(RepositoryUrl.of(url), project)
                .map(access -> access.login() instanceof Login.Password(String user, Secret _)
                        ? user
                        : access.login().toString())
                .orElse("none");
    }

    @Test
    void takesTheLongestPrefix() throws IOException {
        CredentialBook book = book(secret("host", "repo-creds", "{url: https://host, username: host, password: a}")
                + secret("team", "repo-creds", "{url: https://host/team, username: team, password: b}"));

        assertThat(user(book, "https://host/other/x", "p")).isEqualTo("host");
        assertThat(user(book, "https://HOST/Team/x.git", "p")).isEqualTo("team");
        assertThat(user(book, "https://elsewhere/team/x", "p")).isEqualTo("none");
    }

    @Test
    void takesTheRepositorysOwnSecretAndThatOfTheProjectFirst() throws IOException {
        CredentialBook book = book(secret("team", "repo-creds", "{url: https://host, username: team, password: b}")
                + secret("all", "repository", "{url: https://host/x.git, username: all, password: c}")
                + secret("mine", "repository", "{url: https://host/x, project: mine, username: mine, password: d}"));

        assertThat(user(book, "https://host/x", "other")).isEqualTo("all");
        assertThat(user(book, "https://host/x", "mine")).isEqualTo("mine");
        assertThat(user(book, "https://host/y", "mine")).isEqualTo("team");
    }

    @Test
    void addsTheTemplatesLoginToARepositoryWithoutOne() throws IOException {
        CredentialBook book = book(secret("team", "repo-creds", "{url: https://host, username: team, password: b}")
                + secret("own", "repository", "{url: https://host/x, enableLfs: 'true', insecure: 'true'}"));

        Access access = book.find(RepositoryUrl.of("https://host/x"), "p").orElseThrow();

        assertThat(access.login()).isEqualTo(new Login.Password("team", new Secret("b")));
        assertThat(access.transport().lfs()).isTrue();
        assertThat(access.transport().insecure()).isTrue();
    }

    @Test
    void readsDataAndHostsAndAuthorities() throws IOException {
        CredentialBook book = book("""
                kind: List
                items:
                - kind: Secret
                  metadata: {name: a, labels: {argocd.argoproj.io/secret-type: repository}}
                  data: {url: Z2l0QGhvc3Q6eA==, sshPrivateKey: a2V5}
                - kind: ConfigMap
                  metadata: {name: argocd-ssh-known-hosts-cm}
                  data: {ssh_known_hosts: "host ssh-ed25519 AAAA"}
                - kind: ConfigMap
                  metadata: {name: argocd-tls-certs-cm}
                  data: {other: "-----BEGIN CERTIFICATE-----"}
                - kind: Secret
                  metadata: {name: helm, labels: {argocd.argoproj.io/secret-type: repository}}
                  stringData: {type: helm, url: https://charts}
                """);

        Access ssh = book.find(RepositoryUrl.of("git@host:x.git"), "p").orElseThrow();

        assertThat(ssh.login()).isEqualTo(new Login.SshKey(new Secret("key")));
        assertThat(ssh.transport().knownHosts()).contains("host ssh-ed25519 AAAA");
        assertThat(ssh.toString()).doesNotContain("key=key");
        assertThat(book.find(RepositoryUrl.of("https://other:8443/x"), "p")
                        .orElseThrow()
                        .transport()
                        .certificateAuthority())
                .isPresent();
        assertThat(book.find(RepositoryUrl.of("https://charts"), "p")).isEmpty();
    }

    @Test
    void reportsEveryFaultAtOnceAndNoValue() throws IOException {
        String text = secret("nourl", "repository", "{password: hidden}")
                + "---\nkind: Secret\nmetadata: {name: b, labels: {argocd.argoproj.io/secret-type: repo-creds}}\n"
                + "data: {url: aHR0cHM6Ly9o, password: '%hidden%', username: 5}\n";

        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> book(text))
                .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_CREDENTIALS))
                .satisfies(fault -> assertThat(fault.problems()).hasSize(3))
                .satisfies(fault -> assertThat(fault.getMessage()).doesNotContain("hidden"))
                .withMessageContaining("the Secret nourl in creds.yaml has no url")
                .withMessageContaining("password is no base64");
    }

    @Test
    void saysWhatIsNotSupported() {
        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> book(secret("g", "repository", "{url: https://h, gcpServiceAccountKey: '{}'}")))
                .withMessageContaining("gcpServiceAccountKey is not supported");
    }
}

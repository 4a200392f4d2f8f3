package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server with a certificate of its own making that wants one from us.
@NeedsTool({"git", "openssl"})
class TlsRepositoryTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path root;

    private void openssl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(root.resolve("openssl.log").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(root.resolve("openssl.log")))
                .isZero();
    }

    private void certificate(String name) throws IOException, InterruptedException {
        openssl(
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=" + name,
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                name + ".key",
                "-out",
                name + ".crt");
        openssl(
                "pkcs12",
                "-export",
                "-in",
                name + ".crt",
                "-inkey",
                name + ".key",
                "-name",
                name,
                "-out",
                name + ".p12",
                "-passout",
                "pass:changeit");
    }

    private KeyStore store(String name) throws Exception {
        return KeyStore.getInstance(root.resolve(name + ".p12").toFile(), PASSWORD);
    }

    private SSLContext context() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store("server"), PASSWORD);
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("client", store("client").getCertificate("client"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private CredentialBook book(GitHttpServer server, boolean authority) throws IOException {
        Path file = root.resolve("creds.yaml");
        String text = """
                kind: Secret
                metadata: {name: tls, labels: {argocd.argoproj.io/secret-type: repository}}
                stringData:
                  url: %s
                  tlsClientCertData: |
                %s
                  tlsClientCertKey: |
                %s
                """.formatted(
                        server.url("app.git"),
                        Files.readString(root.resolve("client.crt")).indent(4),
                        Files.readString(root.resolve("client.key")).indent(4));
        String hosts =
                """
                ---
                kind: ConfigMap
                metadata: {name: argocd-tls-certs-cm}
                data:
                  127.0.0.1: |
                %s
                """.formatted(Files.readString(root.resolve("server.crt")).indent(4));
        Files.writeString(file, authority ? text + hosts : text);
        return CredentialFiles.read(List.of(file));
    }

    @Test
    void showsTheClientsCertificateAndTrustsOnlyWhatIsGiven() throws Exception {
        certificate("server");
        certificate("client");
        SourceRepository source = SourceRepository.in(root.resolve("served/app.git"));
        source.write("f", "1").commit("first");
        try (GitHttpServer server = GitHttpServer.startTls(root.resolve("served"), context())) {
            CredentialBook unknown = book(server, false);
            try (GitRun git = GitRun.in(root, options -> options.withCredentials(unknown))) {
                assertThatExceptionOfType(Fault.class)
                        .isThrownBy(() -> git.tree(server.url("app.git"), "main"))
                        .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_TRUST));
            }
            CredentialBook known = book(server, true);
            try (GitRun git = GitRun.in(root, options -> options.withCredentials(known))) {
                git.layOut(server.url("app.git"), "main");

                assertThat(git.folder().resolve("f")).hasContent("1");
            }
        }
    }
}

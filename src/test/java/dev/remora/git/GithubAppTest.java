package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A GitHub App's key is exchanged for a token, by which the repository is fetched.
@NeedsTool({"git", "ssh-keygen"})
class GithubAppTest {
    @TempDir
    private Path root;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private HttpServer fakeGithub(String key) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                boolean signed = isSigned(exchange.getRequestHeaders().getFirst("Authorization"), key);
                boolean token = exchange.getRequestURI().getPath().endsWith("/access_tokens");
                String answer = token ? "{\"token\":\"ghs_x\",\"expires_at\":\"2999-01-01T00:00:00Z\"}" : "{\"id\":77}";
                byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(signed ? (token ? 201 : 200) : 401, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        return server;
    }

    private static boolean isSigned(String header, String pem) {
        try {
            String[] parts = header.substring("Bearer ".length()).split("\\.", -1);
            byte[] pkcs8 = PrivateKeys.pkcs8(PrivateKeys.pem(new dev.remora.fault.Secret(pem)));
            RSAPrivateCrtKey key = (RSAPrivateCrtKey) PrivateKeys.read(pkcs8);
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initVerify(KeyFactory.getInstance("RSA")
                    .generatePublic(new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent())));
            signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
            String claim = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
            return signature.verify(Base64.getUrlDecoder().decode(parts[2])) && claim.contains("\"iss\":\"42\"");
        } catch (java.security.GeneralSecurityException e) {
            return false;
        }
    }

    private CredentialBook book(GitHttpServer server, HttpServer api, String key, String more) throws IOException {
        Path file = root.resolve("creds.yaml");
        Files.writeString(file, """
                kind: Secret
                metadata: {name: app, labels: {argocd.argoproj.io/secret-type: repo-creds}}
                stringData:
                  url: %s
                  githubAppID: "42"
                  githubAppEnterpriseBaseUrl: http://127.0.0.1:%d
                %s
                  githubAppPrivateKey: |
                %s
                """.formatted(server.url(""), api.getAddress().getPort(), more, key.indent(4)));
        return CredentialFiles.read(List.of(file));
    }

    @Test
    void fetchesWithATokenThatIsAskedForOnce() throws Exception {
        SshServer.keygen(root.resolve("key"), "rsa", List.of("-b", "2048", "-m", "PEM"));
        String key = Files.readString(root.resolve("key"));
        SourceRepository source = SourceRepository.in(root.resolve("served/org/app.git"));
        source.write("f", "1").commit("first");
        HttpServer api = fakeGithub(key);
        String basic = Base64.getEncoder().encodeToString("x-access-token:ghs_x".getBytes(StandardCharsets.UTF_8));
        try (GitHttpServer server = GitHttpServer.start(root.resolve("served")).requiring("Basic " + basic)) {
            CredentialBook book = book(server, api, key, "");

            try (GitRun git = GitRun.in(root, options -> options.withCredentials(book))) {
                git.layOut(server.url("org/app.git"), "main");

                assertThat(git.folder().resolve("f")).hasContent("1");
            }
            assertThat(asked)
                    .containsExactly("GET /users/org/installation", "POST /app/installations/77/access_tokens");
        } finally {
            api.stop(0);
        }
    }

    @Test
    void saysThatTheKeyIsRefused() throws Exception {
        SshServer.keygen(root.resolve("key"), "rsa", List.of("-b", "2048", "-m", "PEM"));
        SshServer.keygen(root.resolve("other"), "rsa", List.of("-b", "2048", "-m", "PEM"));
        HttpServer api = fakeGithub(Files.readString(root.resolve("other")));
        Files.createDirectories(root.resolve("served"));
        try (GitHttpServer server = GitHttpServer.start(root.resolve("served"))) {
            CredentialBook book =
                    book(server, api, Files.readString(root.resolve("key")), "  githubAppInstallationID: \"1\"");

            try (GitRun git = GitRun.in(root, options -> options.withCredentials(book))) {
                assertThatExceptionOfType(Fault.class)
                        .isThrownBy(() -> git.tree(server.url("org/app.git"), "main"))
                        .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_LOGIN))
                        .withMessageContaining("GitHub App 42")
                        .withMessageContaining("it answered 401");
            }
        } finally {
            api.stop(0);
        }
    }
}

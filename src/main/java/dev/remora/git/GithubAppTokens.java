package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Secret;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/// Exchanges the keys of GitHub Apps for tokens, and keeps each until shortly before it expires. The HTTP client is
/// loaded with the first exchange.
///
/// Threads may share it; the lock lets one exchange run at a time.
final class GithubAppTokens {
    private static final int MOST_ANSWER = 1 << 20;
    private static final Duration TIME = Duration.ofSeconds(30);
    /// GitHub allows ten minutes; clocks differ.
    private static final Duration CLAIM = Duration.ofMinutes(9);

    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);
    private static final Duration RESERVE = Duration.ofMinutes(5);
    private static final int CREATED = 201;
    private static final int OK = 200;
    private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9._-]+");

    private final InstantSource clock;
    private final Map<Login.GithubApp, Token> tokens = new ConcurrentHashMap<>();
    private final Map<String, Long> installations = new ConcurrentHashMap<>();
    private final ReentrantLock exchanging = new ReentrantLock();

    private record Token(Secret value, Instant expires) {}

    GithubAppTokens(InstantSource clock) {
        this.clock = clock;
    }

    Secret token(Login.GithubApp app, RepositoryUrl url, Transport transport) {
        exchanging.lock();
        try {
            Login.GithubApp installed = app.installation() != 0
                    ? app
                    : new Login.GithubApp(app.app(), installation(app, url, transport), app.key(), app.api());
            Token kept = tokens.get(installed);
            if (kept != null && clock.instant().isBefore(kept.expires().minus(RESERVE))) {
                return kept.value();
            }
            Token fresh = exchange(installed, transport);
            tokens.put(installed, fresh);
            return fresh.value();
        } finally {
            exchanging.unlock();
        }
    }

    private Token exchange(Login.GithubApp app, Transport transport) {
        String path = "/app/installations/" + app.installation() + "/access_tokens";
        YamlNode.Mapping answer = ask(app, transport, path, true, CREATED);
        String token = answer.text("token").orElseThrow(() -> refused(app, "its answer holds no token"));
        Instant expires = answer.text("expires_at").map(Instant::parse).orElseGet(() -> clock.instant());
        return new Token(new Secret(token), expires);
    }

    private long installation(Login.GithubApp app, RepositoryUrl url, Transport transport) {
        String[] parts = URI.create(url.address()).getRawPath().split("/", -1);
        String owner = parts.length > 1 ? parts[1] : "";
        if (!OWNER.matcher(owner).matches()) {
            throw refused(app, "the repository's URL names no owner, and githubAppInstallationID is not set");
        }
        return installations.computeIfAbsent(app.api() + " " + app.app() + " " + owner, _ -> {
            YamlNode.Mapping answer = ask(app, transport, "/users/" + owner + "/installation", false, OK);
            return answer.get("id")
                    .filter(YamlNode.Number.class::isInstance)
                    .map(id -> Long.parseLong(((YamlNode.Number) id).json()))
                    .orElseThrow(() -> refused(app, "its answer holds no installation of " + owner));
        });
    }

    private YamlNode.Mapping ask(Login.GithubApp app, Transport transport, String path, boolean post, int wanted) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(app.api() + path))
                .timeout(TIME)
                .header("Accept", "application/vnd.github+json")
                .header("Authorization", "Bearer " + claim(app));
        HttpRequest asked = (post ? request.POST(HttpRequest.BodyPublishers.noBody()) : request.GET()).build();
        try (HttpClient client = AppHttpClient.open(transport, TIME)) {
            HttpResponse<InputStream> response = client.send(asked, HttpResponse.BodyHandlers.ofInputStream());
            byte[] body;
            try (InputStream in = response.body()) {
                body = in.readNBytes(MOST_ANSWER);
            }
            if (response.statusCode() != wanted) {
                throw refused(app, "it answered " + response.statusCode());
            }
            return switch (new JsonReader("the answer of " + app.api(), FaultCode.GIT_LOGIN).read(body)) {
                case YamlNode.Mapping mapping -> mapping;
                default -> throw refused(app, "its answer is no JSON object");
            };
        } catch (IOException e) {
            throw new Fault(
                    FaultCode.GIT_NETWORK,
                    "cannot exchange the key of GitHub App " + app.app() + " at " + app.api() + ": " + Fault.words(e),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Fault(FaultCode.CALL_CANCELLED, "the exchange of a GitHub App's key was interrupted", e);
        }
    }

    private static Fault refused(Login.GithubApp app, String why) {
        return new Fault(
                FaultCode.GIT_LOGIN,
                "cannot exchange the key of GitHub App " + app.app() + " at " + app.api() + ": " + why);
    }

    /// A JSON web token (RFC 7519) by which the app says who it is.
    private String claim(Login.GithubApp app) {
        Instant now = clock.instant();
        String head = encoded("{\"alg\":\"RS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8));
        String body = encoded(("{\"iat\":" + now.minus(CLOCKS_DIFFER).getEpochSecond() + ",\"exp\":"
                        + now.plus(CLAIM).getEpochSecond() + ",\"iss\":\"" + app.app() + "\"}")
                .getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(PrivateKeys.read(PrivateKeys.pkcs8(PrivateKeys.pem(app.key()))));
            signature.update((head + "." + body).getBytes(StandardCharsets.US_ASCII));
            return head + "." + body + "." + encoded(signature.sign());
        } catch (IllegalArgumentException e) {
            throw new Fault(FaultCode.GIT_CREDENTIALS, "githubAppPrivateKey: " + Fault.words(e));
        } catch (GeneralSecurityException e) {
            throw new Fault(FaultCode.GIT_CREDENTIALS, "githubAppPrivateKey is no RSA key");
        }
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

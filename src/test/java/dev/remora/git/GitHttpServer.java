package dev.remora.git;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// `git http-backend` behind the JDK's HTTP server: a real Git server that can ask for a login.
final class GitHttpServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Path root;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile String authorization = "";
    private volatile boolean version2 = true;

    private GitHttpServer(HttpServer server, Path root) {
        this.server = server;
        this.root = root;
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /// @param root the folder whose repositories are served
    static GitHttpServer start(Path root) throws IOException {
        return new GitHttpServer(HttpServer.create(loopback(), 0), root);
    }

    /// Speaks TLS and wants a client certificate that the context trusts.
    static GitHttpServer startTls(Path root, SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(loopback(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
                wanted.setNeedClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        return new GitHttpServer(server, root);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /// From now on only this `Authorization` header is let in.
    GitHttpServer requiring(String header) {
        authorization = header;
        return this;
    }

    /// As a server that knows only the first protocol.
    GitHttpServer withoutVersion2() {
        version2 = false;
        return this;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String repository) {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:" + port() + "/" + repository;
    }

    /// Method and path of every request so far.
    List<String> requests() {
        return List.copyOf(requests);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            String sent = exchange.getRequestHeaders().getFirst("Authorization");
            if (!authorization.isEmpty() && !authorization.equals(sent)) {
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            answer(exchange);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
        Map<String, String> environment = builder.environment();
        Headers headers = exchange.getRequestHeaders();
        environment.put("GIT_PROJECT_ROOT", root.toString());
        environment.put("GIT_HTTP_EXPORT_ALL", "1");
        environment.put("REQUEST_METHOD", exchange.getRequestMethod());
        environment.put("PATH_INFO", exchange.getRequestURI().getPath());
        environment.put("QUERY_STRING", orEmpty(exchange.getRequestURI().getQuery()));
        environment.put("CONTENT_TYPE", orEmpty(headers.getFirst("Content-Type")));
        environment.put("HTTP_CONTENT_ENCODING", orEmpty(headers.getFirst("Content-Encoding")));
        if (version2) {
            environment.put("GIT_PROTOCOL", orEmpty(headers.getFirst("Git-Protocol")));
        }
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        Thread.ofVirtual().start(() -> {
            try (var in = exchange.getRequestBody();
                    var out = process.getOutputStream()) {
                in.transferTo(out);
            } catch (IOException gone) {
                return;
            }
        });
        try (InputStream output = new BufferedInputStream(process.getInputStream())) {
            int status = 200;
            for (String line = line(output); !line.isEmpty(); line = line(output)) {
                String[] header = line.split(": ", 2);
                if (header[0].toLowerCase(Locale.ROOT).equals("status")) {
                    status = Integer.parseInt(header[1].split(" ", -1)[0]);
                } else {
                    exchange.getResponseHeaders().set(header[0], header[1]);
                }
            }
            exchange.sendResponseHeaders(status, 0);
            output.transferTo(exchange.getResponseBody());
        } finally {
            process.destroy();
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try {
            server.stop(0);
        } finally {
            threads.shutdownNow();
        }
    }
}

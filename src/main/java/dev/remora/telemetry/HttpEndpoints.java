package dev.remora.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A few read-only pages over HTTP, for probes and for Prometheus. Off unless an address is given.
///
/// Bounded: two threads, a short queue (what comes beyond it is turned away), a limit on the time that a request may
/// take to arrive, no request body is read.
public final class HttpEndpoints implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int WAITING = 32;
    private static final int BACKLOG = 32;
    private static final String REQUEST_SECONDS = "10";
    private static final String HEADERS = "50";
    private static final String CONNECTIONS = "64";

    private final HttpServer server;
    private final ThreadPoolExecutor threads;

    /// What a page answers.
    ///
    /// @param status of HTTP
    public record Page(int status, String type, String text) {
        public static Page plain(int status, String text) {
            return new Page(status, "text/plain; charset=utf-8", text);
        }

        public static Page json(String text) {
            return new Page(200, "application/json", text);
        }

        public static Page metrics(String text) {
            return new Page(200, "text/plain; version=0.0.4; charset=utf-8", text);
        }
    }

    private HttpEndpoints(HttpServer server, ThreadPoolExecutor threads) {
        this.server = server;
        this.threads = threads;
    }

    /// Serves `pages` by path.
    ///
    /// @throws Fault `SERVE_START` when the address cannot be used
    public static HttpEndpoints open(InetSocketAddress address, Map<String, Supplier<Page>> pages) {
        // The JDK's server reads its bounds from these when its class is loaded.
        System.setProperty("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
        System.setProperty("sun.net.httpserver.maxReqHeaders", HEADERS);
        System.setProperty("jdk.httpserver.maxConnections", CONNECTIONS);
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name("http-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
        try {
            HttpServer server = HttpServer.create(address, BACKLOG);
            server.setExecutor(threads);
            server.createContext("/", exchange -> answer(exchange, pages));
            server.start();
            return new HttpEndpoints(server, threads);
        } catch (IOException e) {
            threads.shutdownNow();
            throw new Fault(
                    FaultCode.SERVE_START,
                    "--http-listen " + address.getHostString() + ":" + address.getPort() + ": " + Fault.words(e),
                    e);
        }
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    private static void answer(HttpExchange exchange, Map<String, Supplier<Page>> pages) throws IOException {
        try (exchange) {
            Supplier<Page> wanted = pages.get(exchange.getRequestURI().getPath());
            boolean reads = exchange.getRequestMethod().equals("GET")
                    || exchange.getRequestMethod().equals("HEAD");
            Page page;
            if (!reads) {
                page = Page.plain(405, "only GET\n");
            } else if (wanted == null) {
                page = Page.plain(
                        404, String.join("\n", pages.keySet().stream().sorted().toList()) + "\n");
            } else {
                page = wanted.get();
            }
            byte[] body = page.text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", page.type());
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(page.status(), head ? -1 : body.length == 0 ? -1 : body.length);
            if (!head && body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

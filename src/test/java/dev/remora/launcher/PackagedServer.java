package dev.remora.launcher;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A packaged server that runs with all that can be switched on, for one plugin named `plain`.
record PackagedServer(Process process, Path socket, int port) implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    static PackagedServer start(Path made, Path definition, String collector) throws IOException, InterruptedException {
        Path home = Files.createTempDirectory("ps"); // short: a socket's path may have 107 bytes
        Files.copy(definition, Files.createDirectory(home.resolve("config")).resolve("plugin.yaml"));
        int port = freePort();
        ProcessBuilder builder = new ProcessBuilder(
                        made.resolve("bin/remora").toString(),
                        "serve",
                        "--config-dir-path",
                        home.resolve("config").toString(),
                        "--http-listen",
                        "127.0.0.1:" + port,
                        "--otlp-address",
                        collector)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile());
        builder.environment().put("ARGOCD_PLUGINSOCKFILEPATH", home.toString());
        builder.environment().put("ARGOCD_CMP_WORKDIR", home.toString());
        Process process = builder.start();
        Path socket = home.resolve("plain.sock");
        long end = System.nanoTime() + LONGEST_START.toNanos();
        while (!Files.exists(socket)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IOException("does not serve: " + Files.readString(home.resolve("log")));
            }
            Thread.sleep(20);
        }
        return new PackagedServer(process, socket, port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    String scrape() throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                    .build();
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }

    /// The services that reflection lists.
    List<String> services() throws Exception {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(loops)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try {
            var answer = new CompletableFuture<ServerReflectionResponse>();
            var requests = ServerReflectionGrpc.newStub(channel).serverReflectionInfo(new First(answer));
            requests.onNext(
                    ServerReflectionRequest.newBuilder().setListServices("").build());
            requests.onCompleted();
            return answer.get(30, TimeUnit.SECONDS).getListServicesResponse().getServiceList().stream()
                    .map(ServiceResponse::getName)
                    .toList();
        } finally {
            channel.shutdownNow();
            var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.onExit().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /// Keeps the first answer.
    private record First(CompletableFuture<ServerReflectionResponse> answer)
            implements StreamObserver<ServerReflectionResponse> {
        @Override
        public void onNext(ServerReflectionResponse value) {
            answer.complete(value);
        }

        @Override
        public void onError(Throwable failure) {
            answer.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            answer.completeExceptionally(new IOException("no answer"));
        }
    }
}

package dev.remora.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.UnknownFieldSet;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.wire.ConfigManagementPluginServiceGrpc;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.wire.ManifestResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The wire, both ends: server and client of this package on a real socket.
class UnixSocketServerTest {
    private static final ManifestRequestMetadata METADATA = ManifestRequestMetadata.newBuilder()
            .setAppRelPath(ByteString.copyFromUtf8("apps/web"))
            .build();

    @TempDir
    Path folder;

    private Path socket() {
        return folder.resolve("p.sock");
    }

    private static InputStream bytes(int count) {
        return new ByteArrayInputStream(new byte[count]);
    }

    private static List<String> texts(ManifestResponse answer) {
        return answer.getManifestsList().stream().map(ByteString::toStringUtf8).toList();
    }

    @Test
    void answersUnaryCall() {
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThat(client.check().getProvideGitCreds()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1024, 3000, 65536, 5_000_000})
    void carriesArchiveInChunksOfAnySize(int chunk) {
        int size = chunk == 1 ? 500 : 3_000_001;
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT.withChunkBytes(chunk))) {
            assertThat(texts(client.generate(METADATA, bytes(size))))
                    .containsExactly("apps/web", (size + chunk - 1) / chunk + " messages", size + " bytes");
        }
    }

    @Test
    void carriesCompressedMessages() {
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT.withGzip())) {
            assertThat(texts(client.generate(METADATA, bytes(200_000)))).contains("200000 bytes");
        }
    }

    @Test
    void takesFewMessagesAheadOfASlowReader() {
        AtomicInteger sent = new AtomicInteger();
        InputStream counted = new InputStream() {
            private int left = 4_000;

            @Override
            public int read() {
                return -1;
            }

            @Override
            public int read(byte[] into, int from, int length) {
                if (left-- == 0) {
                    return -1;
                }
                sent.incrementAndGet();
                return length;
            }
        };
        AtomicInteger sentWhenSlow = new AtomicInteger();
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, call -> {
                    pause(300);
                    sentWhenSlow.set(sent.get());
                    return FakePlugin.count(call);
                });
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT.withChunkBytes(4096))) {
            client.generate(METADATA, counted);
        }
        assertThat(sent).hasValue(4_000);
        // A flow-control window of 256 KiB and the client's own buffer, of 16 MB in all.
        assertThat(sentWhenSlow).hasValueLessThan(400);
    }

    @Test
    void reportsTheServersReasonWhenSendingFails() {
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, call -> {
                    throw new IllegalStateException("no room on the disk");
                });
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThatThrownBy(() -> client.generate(METADATA, bytes(50_000_000)))
                    .isInstanceOf(Fault.class)
                    .hasMessage("no room on the disk")
                    .hasFieldOrPropertyWithValue("code", FaultCode.HOST_REFUSED);
        }
    }

    @Test
    void refusesAnswerAboveTheLimitInArgoCdsWords() {
        TransportLimits small = new TransportLimits(1024, Duration.ofSeconds(10));
        ManifestResponse large = ManifestResponse.newBuilder()
                .addManifests(ByteString.copyFrom(new byte[2000]))
                .build();
        try (var _ = new FakePlugin(socket(), small, call -> large);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThatThrownBy(() -> client.generate(METADATA, bytes(0)))
                    .hasMessage("trying to send message larger than max (2003 vs. 1024)")
                    .hasStackTraceContaining("RESOURCE_EXHAUSTED");
        }
    }

    @Test
    void refusesMessageAboveTheLimit() {
        TransportLimits small = new TransportLimits(1024, Duration.ofSeconds(10));
        try (var _ = new FakePlugin(socket(), small, FakePlugin::count);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThatThrownBy(() -> client.generate(METADATA, bytes(5000)))
                    .hasMessageContaining("grpc: received message larger than max (more than 1024 bytes)")
                    .hasMessageContaining("ARGOCD_GRPC_MAX_SIZE_MB");
        }
    }

    /// Whatever the order of frames, sizes and packing: never CANCELLED, never words of a library.
    @ParameterizedTest
    @CsvSource({"1100,false", "70000,false", "4000000,false", "70000,true", "5000000,true"})
    void aCallWithATooLargeMessageAlwaysEndsInOurWords(int size, boolean gzip) {
        TransportLimits small = new TransportLimits(1024, Duration.ofSeconds(10));
        ClientOptions sizes = ClientOptions.DEFAULT.withChunkBytes(size);
        try (var _ = new FakePlugin(socket(), small, FakePlugin::count);
                var client = PluginClient.connect(socket(), gzip ? sizes.withGzip() : sizes)) {
            for (int i = 0; i < 9; i++) {
                assertThatThrownBy(() -> client.generate(METADATA, bytes(size)))
                        .hasMessageStartingWith("grpc: received message larger than max (more than 1024 bytes)");
            }
            assertThat(texts(client.generate(METADATA, bytes(0)))).contains("0 bytes");
        }
    }

    @Test
    void aTooLargeMessageOfAUnaryCallEndsInOurWords() {
        TransportLimits small = new TransportLimits(1024, Duration.ofSeconds(10));
        Empty large = Empty.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                9,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFrom(new byte[50_000]))
                                        .build())
                        .build())
                .build();
        try (var _ = new FakePlugin(socket(), small, FakePlugin::count);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            var stub = ConfigManagementPluginServiceGrpc.newBlockingStub(client.channel());
            assertThatThrownBy(() -> stub.checkPluginConfiguration(large))
                    .hasMessageStartingWith("RESOURCE_EXHAUSTED: grpc: received message larger than max")
                    .hasMessageEndingWith("[call.message-too-large]");
        }
    }

    @Test
    void tellsTheWorkThatTheCallerWentAway() throws Exception {
        AtomicBoolean told = new AtomicBoolean();
        List<FaultCode> seen = new ArrayList<>();
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, call -> {
            call.whenCancelled(() -> told.set(true));
            try {
                return FakePlugin.count(call);
            } catch (Fault fault) {
                seen.add(fault.code());
                throw fault;
            }
        })) {
            InputStream endless = new InputStream() {
                @Override
                public int read() {
                    pause(1);
                    return 0;
                }

                @Override
                public int read(byte[] into, int from, int length) {
                    pause(length);
                    return length;
                }
            };
            ClientOptions hasty = ClientOptions.DEFAULT.withChunkBytes(100).withDeadline(Duration.ofMillis(200));
            try (var client = PluginClient.connect(socket(), hasty)) {
                assertThatThrownBy(() -> client.generate(METADATA, endless))
                        .hasStackTraceContaining("DEADLINE_EXCEEDED");
            }
            // The work meets the end of its messages before the rest is told.
            for (int i = 0; i < 500 && (seen.isEmpty() || !told.get()); i++) {
                Thread.sleep(20);
            }
        }
        assertThat(told).isTrue();
        assertThat(seen).containsAnyOf(FaultCode.CALL_CANCELLED, FaultCode.CALL_DEADLINE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bearsPingsWithAndWithoutCalls(boolean withCall) throws Exception {
        // grpc-java's client pings at most every 10 s, so a raw one pings for it, as often as Argo CD's would and half
        // as much again.
        TransportLimits eager = new TransportLimits(1 << 20, Duration.ofMillis(100));
        try (var _ = new FakePlugin(socket(), eager, call -> {
                    pause(1500);
                    return FakePlugin.count(call);
                });
                var ping = new PingingClient(socket())) {
            if (withCall) {
                ping.startCall();
            }
            assertThat(ping.pingEvery(Duration.ofMillis(150), 12)).isEqualTo(12);
            assertThat(ping.wentAway()).isFalse();
        }
    }

    @Test
    void serves50CallsAtOnce() throws Exception {
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count);
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<List<String>> one = () -> {
                try (var client = PluginClient.connect(socket(), ClientOptions.DEFAULT.withChunkBytes(1024))) {
                    return texts(client.generate(METADATA, bytes(300_000)));
                }
            };
            List<Callable<List<String>>> fifty =
                    Stream.generate(() -> one).limit(50).toList();
            for (Future<List<String>> answer : pool.invokeAll(fifty)) {
                assertThat(answer.get()).containsExactly("apps/web", "293 messages", "300000 bytes");
            }
        }
    }

    @Test
    void replacesAStaleSocketAndAnEmptyFolder() throws IOException {
        try (var stale = java.nio.channels.ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stale.bind(UnixDomainSocketAddress.of(socket()));
        }
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThat(client.check().getProvideGitCreds()).isTrue();
        }
        Files.createDirectory(socket());
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThat(client.check().getProvideGitCreds()).isTrue();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesFolderWithEntriesAtTheSocketsPlace() throws IOException {
        Files.createDirectory(socket());
        Files.createFile(socket().resolve("precious"));
        assertThatThrownBy(() -> new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count))
                .hasMessage("listen unix " + socket() + ": bind: address already in use")
                .hasFieldOrPropertyWithValue("code", FaultCode.SERVE_START);
        assertThat(socket().resolve("precious")).exists();
        assertThat(folder).isDirectoryContaining(path -> path.equals(socket()));
    }

    @Test
    void saysThatThePathIsTooLong() {
        Path deep = folder.resolve("x".repeat(100) + ".sock");
        assertThatThrownBy(() -> new FakePlugin(deep, TransportLimits.DEFAULT, FakePlugin::count))
                .hasMessageContaining("a socket's may have 107")
                .hasFieldOrPropertyWithValue("code", FaultCode.SERVE_START);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void opensAtALongPath() {
        String name = "x".repeat(105 - folder.toString().length() - 1 - 5) + ".sock";
        Path longest = folder.resolve(name);
        try (var _ = new FakePlugin(longest, TransportLimits.DEFAULT, FakePlugin::count);
                var client = PluginClient.connect(longest, ClientOptions.DEFAULT)) {
            assertThat(client.check().getProvideGitCreds()).isTrue();
        }
    }

    @Test
    void saysThatTheFolderIsMissing() {
        Path lost = folder.resolve("nowhere/p.sock");
        assertThatThrownBy(() -> new FakePlugin(lost, TransportLimits.DEFAULT, FakePlugin::count))
                .hasMessage("listen unix " + lost + ": bind: no such file or directory");
    }

    @Test
    void neverShowsASocketThatRefuses() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        List<String> refused = new ArrayList<>();
        AtomicInteger connected = new AtomicInteger();
        Thread watcher = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
                    connected.incrementAndGet();
                } catch (IOException e) {
                    if (!Fault.words(e).contains("No such file")) {
                        refused.add(Fault.words(e));
                    }
                }
            }
        });
        for (int i = 0; i < 10; i++) {
            try (var plugin = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count)) {
                int before = connected.get();
                while (connected.get() == before) {
                    Thread.onSpinWait();
                }
                // While it goes down a connect may be refused; only the way up is judged.
                done.set(i == 9);
                plugin.server.refuseNew();
            }
            refused.removeIf(text -> text.contains("refused") && Files.notExists(socket()));
        }
        done.set(true);
        watcher.join();
        assertThat(refused).isEmpty();
    }

    @Test
    void leavesTheSocketOfASuccessor() {
        try (var first = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count)) {
            try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count)) {
                first.server.close();
                assertThat(socket()).exists();
            }
            assertThat(socket()).doesNotExist();
        }
    }

    @Test
    void idleConnectionDoesNotHoldTheStopBack() throws Exception {
        try (var plugin = new FakePlugin(socket(), TransportLimits.DEFAULT, FakePlugin::count);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT);
                SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            client.check();
            plugin.server.refuseNew();
            assertThat(plugin.server.awaitQuiet(0)).isFalse();
            plugin.server.close();
            assertThat(plugin.server.awaitQuiet(3000)).isTrue();
            assertThat(silent.isOpen()).isTrue();
        }
    }

    @Test
    void connectGivesUpOnASocketThatNeverGreets() throws IOException {
        try (var mute = java.nio.channels.ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            mute.bind(UnixDomainSocketAddress.of(socket()));
            ClientOptions hasty = new ClientOptions(
                    1024,
                    1 << 20,
                    java.util.Optional.empty(),
                    Duration.ofMillis(300),
                    Duration.ofSeconds(20),
                    false,
                    false);
            assertThatThrownBy(() -> PluginClient.connect(socket(), hasty))
                    .hasMessageContaining("no HTTP/2 greeting within 300 ms")
                    .hasFieldOrPropertyWithValue("code", FaultCode.HOST_UNREACHABLE);
        }
    }

    @Test
    void connectSaysThatNobodyIsThere() {
        assertThatThrownBy(() -> PluginClient.connect(socket(), ClientOptions.DEFAULT))
                .hasMessageContaining("cannot connect to " + socket())
                .hasMessageContaining("No such file or directory")
                .hasFieldOrPropertyWithValue("code", FaultCode.HOST_UNREACHABLE);
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

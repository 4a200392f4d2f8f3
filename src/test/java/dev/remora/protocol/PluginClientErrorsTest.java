package dev.remora.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.remora.fault.FaultCode;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.wire.ManifestResponse;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What people read when a server does not answer as it should: always its own reason, or what happened and how far
/// we were; never "EOF".
class PluginClientErrorsTest {
    private static final ManifestRequestMetadata METADATA = ManifestRequestMetadata.newBuilder()
            .setAppRelPath(ByteString.copyFromUtf8("app"))
            .build();

    /// An empty SETTINGS frame: a server's greeting.
    private static final byte[] GREETING = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    /// GOAWAY, last stream 0, ENHANCE_YOUR_CALM, "later".
    private static final byte[] GOING_AWAY = {
        0, 0, 13, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 'l', 'a', 't', 'e', 'r'
    };

    /// RST_STREAM of stream 3, REFUSED_STREAM.
    private static final byte[] REFUSAL = {0, 0, 4, 3, 0, 0, 0, 0, 3, 0, 0, 0, 7};

    @TempDir
    Path folder;

    private Path socket() {
        return folder.resolve("p.sock");
    }

    private static InputStream archive() {
        return new ByteArrayInputStream(new byte[30_000_000]);
    }

    @Test
    void takesAnAnswerThatComesBeforeAllWasSent() {
        ManifestResponse early = ManifestResponse.newBuilder()
                .addManifests(ByteString.copyFromUtf8("{}"))
                .build();
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, call -> early);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThat(client.generate(METADATA, archive()).getManifestsList())
                    .extracting(ByteString::toStringUtf8)
                    .containsExactly("{}");
        }
    }

    @Test
    void saysThatTheAnswerIsTooLargeAndWhatToRaise() {
        ManifestResponse large = ManifestResponse.newBuilder()
                .addManifests(ByteString.copyFrom(new byte[5_000]))
                .build();
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, call -> large);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT.withMessageBytes(1_000))) {
            assertThatThrownBy(() -> client.generate(METADATA, new ByteArrayInputStream(new byte[0])))
                    .hasMessageContaining("exceeds maximum size 1000")
                    .hasMessageContaining("raise ARGOCD_GRPC_MAX_SIZE_MB");
        }
    }

    @Test
    void saysWhatTheTimeLimitWas() {
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, call -> {
                    sleep(2_000);
                    return ManifestResponse.getDefaultInstance();
                });
                var client =
                        PluginClient.connect(socket(), ClientOptions.DEFAULT.withDeadline(Duration.ofMillis(300)))) {
            assertThatThrownBy(() -> client.generate(METADATA, new ByteArrayInputStream(new byte[10])))
                    .hasMessageContaining("no answer within 300 ms")
                    .hasFieldOrPropertyWithValue("code", FaultCode.HOST_REFUSED);
        }
    }

    @Test
    void saysThatTheServerEndedTheConnectionAndHowFarItWas() throws IOException {
        try (var _ = new BrokenServer(socket(), GREETING, 40_000, new byte[0]);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThatThrownBy(() -> client.generate(METADATA, archive()))
                    .hasMessageContaining("the server at " + socket() + " ended the connection without an answer")
                    .hasMessageContaining("bytes of the archive had been sent")
                    .hasFieldOrPropertyWithValue("code", FaultCode.HOST_UNREACHABLE);
        }
    }

    @Test
    void saysWhyTheServerGoesAway() throws IOException {
        try (var _ = new BrokenServer(socket(), GREETING, 20_000, GOING_AWAY);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThatThrownBy(() -> client.generate(METADATA, archive()))
                    .hasMessageContaining("ENHANCE_YOUR_CALM")
                    .hasMessageContaining("later");
        }
    }

    @Test
    void saysThatTheServerRefusedTheCall() throws IOException {
        try (var _ = new BrokenServer(socket(), GREETING, 20_000, REFUSAL);
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThatThrownBy(() -> client.generate(METADATA, archive()))
                    .hasMessageContaining("REFUSED_STREAM")
                    .hasFieldOrPropertyWithValue("code", FaultCode.HOST_UNREACHABLE);
        }
    }

    @Test
    void aConnectionThatIsClosedAtOnceDoesNotHang() throws IOException {
        try (var _ = new BrokenServer(socket(), new byte[0], 0, new byte[0])) {
            assertThatThrownBy(() -> PluginClient.connect(socket(), ClientOptions.DEFAULT))
                    .hasMessageContaining("cannot connect to " + socket())
                    .hasFieldOrPropertyWithValue("code", FaultCode.HOST_UNREACHABLE);
        }
    }

    @Test
    void keepsTheServersCodeForWhoeverAsks() {
        try (var _ = new FakePlugin(socket(), TransportLimits.DEFAULT, call -> {
                    throw new IllegalStateException("no");
                });
                var client = PluginClient.connect(socket(), ClientOptions.DEFAULT)) {
            assertThatThrownBy(() -> client.generate(METADATA, archive()))
                    .hasMessage("no")
                    .satisfies(fault ->
                            assertThat(Status.fromThrowable(fault).getCode()).isEqualTo(Status.Code.UNKNOWN));
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Greets, reads some bytes, writes some, and closes.
    private static final class BrokenServer implements AutoCloseable {
        private final ServerSocketChannel server;

        BrokenServer(Path socket, byte[] greeting, int reads, byte[] farewell) throws IOException {
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(socket));
            Thread.ofVirtual().start(() -> serve(greeting, reads, farewell));
        }

        private void serve(byte[] greeting, int reads, byte[] farewell) {
            while (true) {
                try (SocketChannel client = server.accept()) {
                    client.write(ByteBuffer.wrap(greeting));
                    ByteBuffer read = ByteBuffer.allocate(4096);
                    for (int all = 0; all < reads; ) {
                        int length = client.read(read.clear());
                        if (length < 0) {
                            break;
                        }
                        all += length;
                    }
                    client.write(ByteBuffer.wrap(farewell));
                    sleep(farewell.length == 0 ? 0 : 300);
                } catch (IOException closed) {
                    return;
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}

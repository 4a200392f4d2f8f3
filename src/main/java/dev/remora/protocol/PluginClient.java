package dev.remora.protocol;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.wire.AppStreamRequest;
import dev.remora.wire.CheckPluginConfigurationResponse;
import dev.remora.wire.ConfigManagementPluginServiceGrpc;
import dev.remora.wire.ConfigManagementPluginServiceGrpc.ConfigManagementPluginServiceBlockingV2Stub;
import dev.remora.wire.File;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.wire.ManifestResponse;
import dev.remora.wire.ParametersAnnouncementResponse;
import dev.remora.wire.RepositoryResponse;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.BlockingClientCall;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A client of one plugin server's socket, ours or Argo CD's. Blocking; safe for many threads at once.
///
/// A call that fails is a `Fault` of code `HOST_REFUSED` (the server answered with an error) or `HOST_UNREACHABLE`,
/// whose cause is gRPC's exception with the status. When sending fails, the status that the server gave is fetched and
/// reported: it is the reason, "EOF" is not.
public final class PluginClient implements AutoCloseable {
    /// Errors travel in headers, with a command's standard error in them.
    private static final int ERROR_BYTES = 1024 * 1024;

    /// What gRPC says of an answer above our own limit.
    private static final String TOO_LARGE_ANSWER = "gRPC message exceeds maximum size";

    private final Path socket;
    private final ClientOptions options;
    private final EventLoops loops;
    private final ManagedChannel channel;

    private PluginClient(Path socket, ClientOptions options) {
        this.socket = socket;
        this.options = options;
        this.loops = new EventLoops("remora-client", 1);
        this.channel = NettyChannelBuilder.forAddress(new SocketName())
                .channelType(NioDomainSocketChannel.class, SocketName.class)
                .channelFactory(() -> channelTo(UnixDomainSocketAddress.of(socket)))
                .eventLoopGroup(loops.group())
                .overrideAuthority(authority(socket))
                .maxInboundMessageSize(options.messageBytes())
                .maxInboundMetadataSize(ERROR_BYTES)
                .keepAliveTime(options.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveWithoutCalls(options.keepAliveWithoutCalls())
                .usePlaintext()
                .disableRetry()
                .executor(Runnable::run)
                .build();
    }

    /// A channel that connects there, whatever it is told: gRPC makes a URI of an address, in which not every letter of
    /// a
    /// path may stand.
    private static NioDomainSocketChannel channelTo(SocketAddress socket) {
        NioDomainSocketChannel channel = new NioDomainSocketChannel();
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void connect(
                    ChannelHandlerContext context,
                    SocketAddress named,
                    @Nullable SocketAddress local,
                    ChannelPromise promise) {
                var _ = context.connect(socket, local, promise);
            }
        });
        return channel;
    }

    /// Stands for the socket where gRPC wants to write the address.
    private static final class SocketName extends SocketAddress {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            return "plugin";
        }
    }

    /// Connects, or says why not within the options' time for it.
    public static PluginClient connect(Path socket, ClientOptions options) {
        PluginClient client = new PluginClient(socket.toAbsolutePath(), options);
        try {
            client.awaitConnection();
            return client;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    public CheckPluginConfigurationResponse check() {
        try {
            return stub().checkPluginConfiguration(Empty.getDefaultInstance());
        } catch (StatusException e) {
            throw failed(e.getStatus(), e, 0);
        }
    }

    /// Asks for manifests. `archive` is read to its end in chunks of the options' size.
    public ManifestResponse generate(ManifestRequestMetadata metadata, InputStream archive) {
        return send(stub().generateManifest(), metadata, archive);
    }

    public RepositoryResponse match(ManifestRequestMetadata metadata, InputStream archive) {
        return send(stub().matchRepository(), metadata, archive);
    }

    public ParametersAnnouncementResponse params(ManifestRequestMetadata metadata, InputStream archive) {
        return send(stub().getParametersAnnouncement(), metadata, archive);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loops.close();
    }

    /// The channel itself, for services beside the plugin's own (health, version).
    public ManagedChannel channel() {
        return channel;
    }

    private <R> R send(
            BlockingClientCall<AppStreamRequest, R> call, ManifestRequestMetadata metadata, InputStream archive) {
        long sent = 0;
        try {
            boolean open = call.write(
                    AppStreamRequest.newBuilder().setMetadata(metadata).build());
            byte[] chunk = new byte[options.chunkBytes()];
            int length = 0;
            while (open && (length = archive.readNBytes(chunk, 0, chunk.length)) > 0) {
                ByteString bytes = ByteString.copyFrom(chunk, 0, length);
                open = call.write(AppStreamRequest.newBuilder()
                        .setFile(File.newBuilder().setChunk(bytes))
                        .build());
                sent += open ? length : 0;
            }
            if (open) {
                call.halfClose();
            }
            R answer = call.read();
            if (answer == null) {
                throw failed(Status.INTERNAL.withDescription("the call ended without an answer"), null, sent);
            }
            return answer;
        } catch (StatusException e) {
            throw failed(e.getStatus(), e, sent);
        } catch (StatusRuntimeException e) {
            throw failed(e.getStatus(), e, sent);
        } catch (IOException e) {
            call.cancel("the archive cannot be read", e);
            throw new Fault(FaultCode.HOST_UNREACHABLE, "sending the archive: " + Fault.words(e), e);
        } catch (InterruptedException e) {
            call.cancel("interrupted", e);
            Thread.currentThread().interrupt();
            throw new Fault(FaultCode.CALL_CANCELLED, "interrupted while waiting for " + socket, e);
        }
    }

    private ConfigManagementPluginServiceBlockingV2Stub stub() {
        ConfigManagementPluginServiceBlockingV2Stub stub = ConfigManagementPluginServiceGrpc.newBlockingV2Stub(channel)
                .withMaxOutboundMessageSize(options.messageBytes());
        if (options.gzip()) {
            stub = stub.withCompression("gzip");
        }
        return options.deadline().isPresent()
                ? stub.withDeadlineAfter(options.deadline().get())
                : stub;
    }

    private void awaitConnection() {
        CountDownLatch settled = new CountDownLatch(1);
        watch(channel.getState(true), settled);
        boolean inTime = awaited(settled, options.connect());
        ConnectivityState state = channel.getState(false);
        if (state == ConnectivityState.READY) {
            return;
        }
        String why = inTime
                ? reasonOfRefusal()
                : "no HTTP/2 greeting within " + options.connect().toMillis() + " ms";
        throw new Fault(FaultCode.HOST_UNREACHABLE, "cannot connect to " + socket + ": " + why);
    }

    private void watch(ConnectivityState state, CountDownLatch settled) {
        if (state == ConnectivityState.READY || state == ConnectivityState.TRANSIENT_FAILURE) {
            settled.countDown();
        } else {
            channel.notifyWhenStateChanged(state, () -> watch(channel.getState(true), settled));
        }
    }

    /// A channel does not tell why it failed; a call through it does.
    private String reasonOfRefusal() {
        try {
            ConfigManagementPluginServiceGrpc.newBlockingV2Stub(channel)
                    .withDeadlineAfter(Duration.ofSeconds(1))
                    .checkPluginConfiguration(Empty.getDefaultInstance());
            return "the connection was lost at once";
        } catch (StatusException e) {
            Throwable cause = e.getStatus().getCause();
            String words = cause == null ? e.getStatus().toString() : Fault.words(cause);
            return words.replace(": " + socket, "");
        }
    }

    private boolean awaited(CountDownLatch settled, Duration time) {
        try {
            return settled.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Fault(FaultCode.CALL_CANCELLED, "interrupted while connecting to " + socket, e);
        }
    }

    /// The server's own words where it has any; else what happened here, and how much of the archive was on its way.
    private Fault failed(Status status, @Nullable Exception cause, long sent) {
        String text = status.getDescription() == null ? status.getCode().name() : status.getDescription();
        boolean gone = status.getCode() == Status.Code.UNAVAILABLE;
        FaultCode code = gone ? FaultCode.HOST_UNREACHABLE : FaultCode.HOST_REFUSED;
        Exception reason = cause == null ? status.asException() : cause;
        return new Fault(code, explained(status, text, sent), reason);
    }

    private String explained(Status status, String text, long sent) {
        return switch (status.getCode()) {
            case UNAVAILABLE ->
                "the server at " + socket + " ended the connection without an answer: " + text + cause(status) + "; "
                        + sent + " bytes of the archive had been sent";
            case DEADLINE_EXCEEDED ->
                ownLimit(text)
                        .map(limit -> "no answer within " + limit + "; " + sent + " bytes of the archive had been sent")
                        .orElse(text);
            case RESOURCE_EXHAUSTED ->
                text.startsWith(TOO_LARGE_ANSWER) ? text + "; raise ARGOCD_GRPC_MAX_SIZE_MB on both sides" : text;
            default -> text;
        };
    }

    private static String cause(Status status) {
        return status.getCause() == null ? "" : " (" + Fault.words(status.getCause()) + ")";
    }

    /// Our own limit, when it is what fired: then the words are gRPC's, not the server's.
    private Optional<String> ownLimit(String text) {
        return options.deadline()
                .filter(_ -> text.startsWith("CallOptions deadline") || text.startsWith("deadline exceeded after"))
                .map(limit -> limit.toMillis() + " ms");
    }

    /// As Argo CD's client says it: the path without its leading slash, percent-encoded.
    private static String authority(Path socket) {
        String path = socket.toString();
        return URLEncoder.encode(path.substring(path.startsWith("/") ? 1 : 0), StandardCharsets.UTF_8)
                .replace("+", "%20");
    }
}

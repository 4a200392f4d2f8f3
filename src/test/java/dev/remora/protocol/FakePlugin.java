package dev.remora.protocol;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import dev.remora.fault.Fault;
import dev.remora.wire.AppStreamRequest;
import dev.remora.wire.CheckPluginConfigurationResponse;
import dev.remora.wire.ConfigManagementPluginServiceGrpc;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.wire.ManifestResponse;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;

/// A plugin server whose every answer is made by the test, on a real socket.
final class FakePlugin implements AutoCloseable {
    private static final ServerInterceptor NOTHING = new ServerInterceptor() {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            return next.startCall(call, headers);
        }
    };

    private final EventLoops loops = new EventLoops("fake-plugin", 1);
    final UnixSocketServer server;

    FakePlugin(Path socket, TransportLimits limits, BlockingCalls.Work<AppStreamRequest, ManifestResponse> generate) {
        BlockingCalls<AppStreamRequest, ManifestResponse> calls = new BlockingCalls<>(
                Executors.newVirtualThreadPerTaskExecutor(),
                limits,
                failure -> Status.UNKNOWN.withDescription(Fault.words(failure)),
                generate);
        ServerServiceDefinition service = ServerServiceDefinition.builder(
                        ConfigManagementPluginServiceGrpc.SERVICE_NAME)
                .addMethod(ConfigManagementPluginServiceGrpc.getGenerateManifestMethod(), calls)
                .addMethod(
                        ConfigManagementPluginServiceGrpc.getCheckPluginConfigurationMethod(),
                        ServerCalls.asyncUnaryCall(
                                (Empty request, io.grpc.stub.StreamObserver<CheckPluginConfigurationResponse> out) -> {
                                    out.onNext(CheckPluginConfigurationResponse.newBuilder()
                                            .setProvideGitCreds(true)
                                            .build());
                                    out.onCompleted();
                                }))
                .build();
        server = UnixSocketServer.listen(socket, List.of(service), NOTHING, limits, loops, true);
    }

    /// Reads the whole stream; answers with the announced path, the number of messages and their bytes.
    static ManifestResponse count(InboundCall<AppStreamRequest> call) {
        long deadline = call.deadlineNanos().orElse(System.nanoTime() + 30_000_000_000L);
        ManifestRequestMetadata metadata =
                call.messages().next(deadline).orElseThrow().getMetadata();
        long messages = 0;
        long bytes = 0;
        Optional<AppStreamRequest> next = call.messages().next(deadline);
        while (next.isPresent()) {
            messages++;
            bytes += next.get().getFile().getChunk().size();
            next = call.messages().next(deadline);
        }
        return ManifestResponse.newBuilder()
                .addManifests(metadata.getAppRelPath())
                .addManifests(ByteString.copyFromUtf8(messages + " messages"))
                .addManifests(ByteString.copyFromUtf8(bytes + " bytes"))
                .build();
    }

    @Override
    public void close() {
        server.close();
        loops.close();
    }
}

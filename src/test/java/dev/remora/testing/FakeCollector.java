package dev.remora.testing;

import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Takes every unary gRPC call on a loopback port, keeps it and answers with an empty message and the given status.
public final class FakeCollector implements AutoCloseable {
    private final BlockingQueue<Export> exports = new LinkedBlockingQueue<>();
    private final Server server;

    private FakeCollector(Status answer) throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .fallbackHandlerRegistry(new AnyMethod(new Keeper(answer)))
                .build()
                .start();
    }

    public static FakeCollector start(Status answer) throws IOException {
        return new FakeCollector(answer);
    }

    /// One call: its full method name, its headers and the message as text, in which names can be searched.
    public record Export(String method, Metadata headers, String message) {}

    public String address() {
        return "127.0.0.1:" + server.getPort();
    }

    /// The next call, waited for.
    public Export take() throws InterruptedException {
        Export export = exports.poll(30, TimeUnit.SECONDS);
        if (export == null) {
            throw new AssertionError("nothing was exported within 30 s");
        }
        return export;
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static final class AnyMethod extends HandlerRegistry {
        private final Keeper keeper;

        AnyMethod(Keeper keeper) {
            this.keeper = keeper;
        }

        @Override
        public ServerMethodDefinition<?, ?> lookupMethod(String method, @Nullable String authority) {
            var descriptor = MethodDescriptor.newBuilder(new Raw(), new Raw())
                    .setType(MethodType.UNARY)
                    .setFullMethodName(method)
                    .build();
            return ServerMethodDefinition.create(descriptor, keeper);
        }
    }

    private final class Keeper implements ServerCallHandler<byte[], byte[]> {
        private final Status answer;

        Keeper(Status answer) {
            this.answer = answer;
        }

        @Override
        public Listener<byte[]> startCall(ServerCall<byte[], byte[]> call, Metadata headers) {
            call.request(1);
            return new Listener<>() {
                @Override
                public void onMessage(byte[] message) {
                    String method = call.getMethodDescriptor().getFullMethodName();
                    exports.add(new Export(method, headers, new String(message, StandardCharsets.ISO_8859_1)));
                    if (answer.isOk()) {
                        call.sendHeaders(new Metadata());
                        call.sendMessage(new byte[0]);
                    }
                    call.close(answer, new Metadata());
                }
            };
        }
    }

    private static final class Raw implements Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

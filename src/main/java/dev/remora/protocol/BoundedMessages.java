package dev.remora.protocol;

import dev.remora.fault.Fault;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// Ends a call whose message is larger than it may be: with a status, unless its handler has its own way to
/// ([BlockingCalls]). A compressed message is counted again as it unpacks: a few bytes may hold gigabytes.
final class BoundedMessages implements ServerInterceptor {
    private static final Metadata.Key<String> ENCODING =
            Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);

    private BoundedMessages() {}

    /// The same service, its messages bounded.
    static ServerServiceDefinition in(ServerServiceDefinition service) {
        return ServerInterceptors.intercept(ServerInterceptors.useInputStreamMessages(service), new BoundedMessages());
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Optional<MessageBound> bound = MessageBound.current();
        if (bound.isEmpty()) {
            return next.startCall(call, headers);
        }
        bound.get().whenExceeded(fault -> refuse(call, fault));
        ServerCall.Listener<Q> listener = next.startCall(call, headers);
        String encoding = headers.get(ENCODING);
        return encoding == null || encoding.equals("identity") ? listener : new Unpacking<>(listener, bound.get());
    }

    private static void refuse(ServerCall<?, ?> call, Fault fault) {
        if (!call.isCancelled()) {
            call.close(
                    Status.RESOURCE_EXHAUSTED.withDescription(
                            Fault.words(fault) + " [" + fault.code().id() + "]"),
                    new Metadata());
        }
    }

    /// Messages are streams that unpack while they are read.
    private static final class Unpacking<Q> extends SimpleForwardingServerCallListener<Q> {
        private final MessageBound bound;

        Unpacking(ServerCall.Listener<Q> listener, MessageBound bound) {
            super(listener);
            this.bound = bound;
        }

        @Override
        public void onMessage(Q message) {
            byte[] unpacked;
            try {
                unpacked = ((InputStream) message).readNBytes(bound.limit() + 1);
            } catch (IOException e) {
                throw Status.INTERNAL
                        .withDescription("a compressed message is broken: " + Fault.words(e))
                        .withCause(e)
                        .asRuntimeException();
            }
            if (unpacked.length > bound.limit()) {
                bound.exceed();
                return;
            }
            @SuppressWarnings("unchecked") // messages are input streams here, see in()
            Q bytes = (Q) new ByteArrayInputStream(unpacked);
            super.onMessage(bytes);
        }
    }
}

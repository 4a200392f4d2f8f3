package dev.remora.protocol;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.Optional;
import java.util.function.Consumer;

/// Watches the messages of one call while their bytes arrive, and refuses the call as soon as one is larger than it
/// may be, before the rest of it is taken.
///
/// gRPC's own limit looks at the announced length and resets the stream: the sender then sees its words or none
/// (CANCELLED), as the frames happen to be ordered. So that limit is lifted, and this one ends the call in order, with
/// a status. What it counts are bytes that came, so at most the limit and one flow-control window lie in memory. An
/// announced length above 2 GiB is still gRPC's to refuse.
///
/// Told by the transport's thread; `lock` guards what it tells.
final class MessageBound extends ServerStreamTracer {
    private static final Context.Key<MessageBound> OF_CALL = Context.key("dev.remora.protocol.MessageBound");

    private final Object lock = new Object();
    private final int limit;
    private long arrived;
    private boolean exceeded;
    private Optional<Consumer<Fault>> refusal = Optional.empty();

    private MessageBound(int limit) {
        this.limit = limit;
    }

    /// One for each call.
    static ServerStreamTracer.Factory each(TransportLimits limits) {
        return new ServerStreamTracer.Factory() {
            @Override
            public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
                return new MessageBound(limits.messageBytes());
            }
        };
    }

    /// That of the call that is being started.
    static Optional<MessageBound> current() {
        return Optional.ofNullable(OF_CALL.get());
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(OF_CALL, this);
    }

    @Override
    public void inboundMessage(int number) {
        arrived = 0;
    }

    @Override
    public void inboundWireSize(long bytes) {
        arrived += bytes;
        if (arrived > limit) {
            exceed();
        }
    }

    int limit() {
        return limit;
    }

    /// A message is larger than it may be, packed or unpacked.
    void exceed() {
        Optional<Consumer<Fault>> told;
        synchronized (lock) {
            told = exceeded ? Optional.empty() : refusal;
            exceeded = true;
        }
        told.ifPresent(action -> action.accept(fault()));
    }

    /// What refuses the call; a later one takes the place of an earlier.
    void whenExceeded(Consumer<Fault> action) {
        boolean late;
        synchronized (lock) {
            late = exceeded;
            refusal = Optional.of(action);
        }
        if (late) {
            action.accept(fault());
        }
    }

    /// grpc-go's words first.
    private Fault fault() {
        return new Fault(
                FaultCode.MESSAGE_TOO_LARGE,
                "grpc: received message larger than max (more than " + limit
                        + " bytes); raise ARGOCD_GRPC_MAX_SIZE_MB of"
                        + " this server, or send smaller messages (ARGOCD_CMP_CHUNK_SIZE of the caller)");
    }
}

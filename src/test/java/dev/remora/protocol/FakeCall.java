package dev.remora.protocol;

import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import java.util.List;
import java.util.Optional;

/// Calls without a wire: what the caller sent is given.
public final class FakeCall {
    private FakeCall() {}

    /// A call that sends nothing and has no deadline.
    public static <Q extends MessageLite> InboundCall<Q> without() {
        return sending(List.of());
    }

    /// A call that has sent `messages` and half-closed.
    public static <Q extends MessageLite> InboundCall<Q> sending(List<Q> messages) {
        BlockingInbound<Q> inbound = new BlockingInbound<>(count -> {}, MessageLite::getSerializedSize);
        messages.forEach(inbound::received);
        inbound.ended();
        return new InboundCall<>("GenerateManifest", inbound, Optional.empty(), new Metadata());
    }
}

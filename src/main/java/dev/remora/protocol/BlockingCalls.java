package dev.remora.protocol;

import com.google.protobuf.MessageLite;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/// Serves calls with blocking code: gRPC's callbacks only fill an `InboundCall`, the work is done on a thread of the
/// executor and returns the one answer, or throws.
///
/// @param <Q> what the caller sends
/// @param <R> what it gets
public final class BlockingCalls<Q extends MessageLite, R extends MessageLite> implements ServerCallHandler<Q, R> {
    /// The work on one call.
    @FunctionalInterface
    public interface Work<Q, R> {
        R answer(InboundCall<Q> call);
    }

    /// What a failure is to the caller.
    @FunctionalInterface
    public interface StatusOf {
        Status status(Throwable failure);
    }

    private static final String NO_THREAD = "no thread can be started for this call; the limit on processes and threads"
            + " (pids.max of the container, ulimit -u of the user) is reached, or the server is stopping";

    private final Executor executor;
    private final int messageBytes;
    private final StatusOf statusOf;
    private final Work<Q, R> work;

    public BlockingCalls(Executor executor, TransportLimits limits, StatusOf statusOf, Work<Q, R> work) {
        this.executor = executor;
        this.messageBytes = limits.messageBytes();
        this.statusOf = statusOf;
        this.work = work;
    }

    @Override
    public ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers) {
        BlockingInbound<Q> messages = new BlockingInbound<>(call::request, MessageLite::getSerializedSize);
        String method = Optional.ofNullable(call.getMethodDescriptor().getBareMethodName())
                .orElse("");
        Context context = Context.current();
        InboundCall<Q> inbound =
                new InboundCall<>(method, messages, Optional.ofNullable(context.getDeadline()), headers);
        MessageBound.current().ifPresent(bound -> bound.whenExceeded(messages::end));
        messages.open();
        try {
            executor.execute(() -> answer(call, inbound));
        } catch (OutOfMemoryError | RejectedExecutionException noThread) {
            close(call, Status.RESOURCE_EXHAUSTED.withDescription(NO_THREAD));
            return new ServerCall.Listener<>() {};
        }
        return new ServerCall.Listener<>() {
            @Override
            public void onMessage(Q message) {
                messages.received(message);
            }

            @Override
            public void onHalfClose() {
                messages.ended();
            }

            @Override
            public void onCancel() {
                boolean late =
                        context.getDeadline() != null && context.getDeadline().isExpired();
                inbound.cancelled(late ? "context deadline exceeded" : "context canceled: the caller went away");
            }
        };
    }

    private void answer(ServerCall<Q, R> call, InboundCall<Q> inbound) {
        R answer;
        try {
            answer = work.answer(inbound);
        } catch (RuntimeException | Error failure) {
            close(call, statusOf.status(failure));
            return;
        }
        int size = answer.getSerializedSize();
        if (size > messageBytes) {
            close(call, tooLarge(size, messageBytes));
            return;
        }
        try {
            call.sendHeaders(new Metadata());
            call.sendMessage(answer);
            call.close(Status.OK, new Metadata());
        } catch (IllegalStateException alreadyCancelled) {
            // The caller went away between the work and its answer; there is nobody to tell.
            return;
        }
    }

    /// In the words of Argo CD's server, which users search for.
    private static Status tooLarge(int size, int limit) {
        return Status.RESOURCE_EXHAUSTED.withDescription(tooLargeWords(size, limit));
    }

    /// grpc-go's words for it, which Argo CD's users know.
    public static String tooLargeWords(int size, int limit) {
        return "trying to send message larger than max (" + size + " vs. " + limit + ")";
    }

    private static void close(ServerCall<?, ?> call, Status status) {
        if (call.isCancelled()) {
            // Nobody listens; or gRPC itself ended the call and is about to say why.
            return;
        }
        try {
            call.close(status, new Metadata());
        } catch (IllegalStateException alreadyCancelled) {
            // As above.
            return;
        }
    }
}

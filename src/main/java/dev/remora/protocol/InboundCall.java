package dev.remora.protocol;

import io.grpc.Deadline;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// One call as its worker sees it: the messages, the caller's deadline and whether the caller is still there.
public final class InboundCall<Q> {
    private final String method;
    private final BlockingInbound<Q> messages;
    private final Optional<Long> deadlineNanos;
    private final Metadata headers;
    private final List<Runnable> whenCancelled = new ArrayList<>();
    private boolean cancelled;

    InboundCall(String method, BlockingInbound<Q> messages, Optional<Deadline> deadline, Metadata headers) {
        this.method = method;
        this.messages = messages;
        this.deadlineNanos = deadline.map(time -> System.nanoTime() + time.timeRemaining(TimeUnit.NANOSECONDS));
        this.headers = headers;
    }

    /// The bare method name, such as `GenerateManifest`.
    public String method() {
        return method;
    }

    public BlockingInbound<Q> messages() {
        return messages;
    }

    /// When the caller gives up, by `System.nanoTime()`; empty when it never does.
    public Optional<Long> deadlineNanos() {
        return deadlineNanos;
    }

    /// A text header of the request, such as `traceparent`.
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
    }

    /// Runs `action` once when the caller goes away; at once when it is already gone. It runs on a thread that must not
    /// wait.
    public void whenCancelled(Runnable action) {
        synchronized (whenCancelled) {
            if (!cancelled) {
                whenCancelled.add(action);
                return;
            }
        }
        action.run();
    }

    void cancelled(String reason) {
        messages.cancelled(reason);
        List<Runnable> actions;
        synchronized (whenCancelled) {
            cancelled = true;
            actions = List.copyOf(whenCancelled);
            whenCancelled.clear();
        }
        actions.forEach(Runnable::run);
    }
}

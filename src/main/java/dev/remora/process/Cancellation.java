package dev.remora.process;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The caller's way to say that nobody waits for the answer any more. May be cancelled from any thread, at any time,
/// many times; the first reason counts.
public final class Cancellation {
    private final AtomicReference<@Nullable String> reason = new AtomicReference<>();
    private final Map<Object, Runnable> listeners = new ConcurrentHashMap<>();

    /// Tells all who listen.
    ///
    /// @param why in words, such as `the caller went away`
    public void cancel(String why) {
        if (reason.compareAndSet(null, why)) {
            listeners.values().forEach(Runnable::run);
        }
    }

    public Optional<String> reason() {
        return Optional.ofNullable(reason.get());
    }

    public boolean isCancelled() {
        return reason.get() != null;
    }

    /// Runs `action` on the cancelling thread when it happens, or now if it has; perhaps twice. It must be short.
    ///
    /// @return closes the subscription
    public Subscription onCancel(Runnable action) {
        Object own = new Object();
        listeners.put(own, action);
        if (isCancelled()) {
            action.run();
        }
        return () -> listeners.remove(own);
    }

    /// Ends with [#close].
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}

package dev.remora.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// A platform thread without restrictions that does for restricted ones what may start a thread.
///
/// A thread inherits the kernel restrictions of the thread that starts it. A render's thread is in a signal domain; if
/// it woke a virtual thread, the scheduler might start a carrier right there, which would be in the domain for the
/// life of the JVM, and so would be every render thread that the carrier starts later. So virtual callers have their
/// render threads started here, and get their results from here. Posting takes no lock: only this platform thread is
/// woken. Callers who are platform threads do without: waking one starts nothing.
final class Porter implements AutoCloseable {
    private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    Porter() {
        thread = Thread.ofPlatform().daemon().name("process-porter").start(this::serve);
    }

    /// Runs it soon, after what was posted before. It must be short and must not fail.
    void post(Runnable errand) {
        queue.add(errand);
        LockSupport.unpark(thread);
    }

    /// What `question` answers here, on a thread without restrictions. For one that has them; it must not fail.
    <T> T ask(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        post(() -> answer.complete(question.get()));
        return answer.join();
    }

    private void serve() {
        while (true) {
            Runnable errand = queue.poll();
            if (errand != null) {
                run(errand);
            } else if (closed) {
                return;
            } else {
                LockSupport.park(this);
            }
        }
    }

    /// Every render depends on this thread: it survives an errand that fails all the same, as for want of memory.
    private static void run(Runnable errand) {
        try {
            errand.run();
        } catch (RuntimeException | Error e) {
            return;
        }
    }

    /// Does what is posted, then ends.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.remora.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Predicate;

/// Does many things at once and hands their results over in the order of the things. Work runs ahead of what was handed
/// over by a bounded number, so that memory stays flat however many things there are.
final class OrderedWork {
    /// Finished and not handed over yet, for each that is at work.
    private static final int AHEAD = 8;

    private final int atOnce;

    OrderedWork(int atOnce) {
        this.atOnce = atOnce;
    }

    /// @param handOver gets each result on the calling thread; false: nothing more is begun, and the rest is left
    <I, O> void run(List<I> things, Function<I, O> work, Predicate<O> handOver) {
        Semaphore places = new Semaphore(atOnce, true);
        Deque<Future<O>> begun = new ArrayDeque<>();
        Iterator<I> rest = things.iterator();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            while (rest.hasNext() || !begun.isEmpty()) {
                while (rest.hasNext() && begun.size() < atOnce * AHEAD) {
                    I thing = rest.next();
                    begun.add(threads.submit(() -> {
                        places.acquire();
                        try {
                            return work.apply(thing);
                        } finally {
                            places.release();
                        }
                    }));
                }
                if (!handOver.test(result(begun.remove()))) {
                    begun.forEach(future -> future.cancel(true));
                    return;
                }
            }
        }
    }

    private static <O> O result(Future<O> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

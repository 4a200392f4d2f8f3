package dev.remora.process;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/// A tree on Linux: the callers' side of a [RenderThread]. The lock lets one command run at a time.
final class ContainedTree implements ProcessTree {
    /// Enough for the loop and the JDK's file classes; the default would be a megabyte of address space a render.
    private static final long STACK_BYTES = 256 * 1024;

    private final RenderThread render;
    private final CompletableFuture<Boolean> gone = new CompletableFuture<>();
    private final ReentrantLock turn = new ReentrantLock();
    private boolean closed;

    private ContainedTree(RenderThread render) {
        this.render = render;
    }

    /// @param trees holds the tree as long as its thread lives
    static ContainedTree start(Porter porter, RenderThread render, String marker, Set<ContainedTree> trees) {
        ContainedTree tree = new ContainedTree(render);
        trees.add(tree);
        Thread.Builder thread =
                Thread.ofPlatform().daemon().name("render-" + marker).stackSize(STACK_BYTES);
        porter.post(() -> tree.start(thread, porter, trees));
        return tree;
    }

    private void start(Thread.Builder builder, Porter porter, Set<ContainedTree> trees) {
        try {
            Thread _ = builder.start(() -> {
                Thread self = Thread.currentThread();
                try {
                    render.live();
                } finally {
                    porter.post(() -> ended(self, trees));
                }
            });
        } catch (OutOfMemoryError noThread) {
            gone(trees);
        }
    }

    /// On the porter's thread: after this no thread and no descriptor of the render exists.
    private void ended(Thread thread, Set<ContainedTree> trees) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        gone(trees);
    }

    private void gone(Set<ContainedTree> trees) {
        trees.remove(this);
        render.gone();
        gone.complete(true);
    }

    /// Waits until the thread is gone, also where it goes on in the background.
    void join() {
        boolean _ = awaited(gone, () -> {});
    }

    @Override
    public Outcome run(Command command, TimeLimits time, Cancellation cancellation) {
        turn.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the render is over");
            }
            CompletableFuture<Outcome> result = new CompletableFuture<>();
            try (Cancellation.Subscription _ = cancellation.onCancel(render::wake)) {
                render.submit(new RenderThread.Job(command, time, cancellation, result));
                return awaited(result, () -> cancellation.cancel("the call was interrupted"));
            }
        } finally {
            turn.unlock();
        }
    }

    /// An interrupted caller still waits: what he started must end before he goes.
    private static <T> T awaited(CompletableFuture<T> result, Runnable whenInterrupted) {
        boolean interrupted = false;
        while (true) {
            try {
                return result.get();
            } catch (InterruptedException e) {
                interrupted = true;
                whenInterrupted.run();
            } catch (ExecutionException e) {
                throw switch (e.getCause()) {
                    case RuntimeException cause -> cause;
                    case Error error -> throw error;
                    case null, default -> new IllegalStateException(e);
                };
            } finally {
                if (interrupted && result.isDone()) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /// What this render leaves to end in the background is ended now.
    void hurry() {
        render.hurry();
    }

    @Override
    public void close() {
        turn.lock();
        try {
            if (!closed) {
                closed = true;
                boolean _ = awaited(render.close(), () -> {});
            }
        } finally {
            turn.unlock();
        }
    }
}

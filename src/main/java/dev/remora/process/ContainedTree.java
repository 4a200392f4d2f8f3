package dev.remora.process;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/// A tree on Linux: the callers' side of a [RenderThread]. The lock lets one command run at a time.
///
/// A caller who is a platform thread starts the render's thread, is woken by it and awaits its end himself. For one who
/// is a virtual thread the [Porter] does all that, which takes twice as many changes of threads.
final class ContainedTree implements ProcessTree {
    /// Enough for the loop and the JDK's file classes; the default would be a megabyte of address space a render.
    private static final long STACK_BYTES = 256 * 1024;

    private final RenderThread render;
    private final Porter porter;
    private final Set<ContainedTree> trees;
    private final Thread thread;
    private final CompletableFuture<Boolean> gone = new CompletableFuture<>();
    private final ReentrantLock turn = new ReentrantLock();
    private boolean closed;
    private volatile boolean awaitedByCaller;

    private ContainedTree(Porter porter, RenderThread render, String marker, Set<ContainedTree> trees) {
        this.render = render;
        this.porter = porter;
        this.trees = trees;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("render-" + marker)
                .stackSize(STACK_BYTES)
                .inheritInheritableThreadLocals(false)
                .unstarted(this::live);
    }

    /// @param trees holds the tree as long as its thread lives
    static ContainedTree start(Porter porter, RenderThread render, String marker, Set<ContainedTree> trees) {
        ContainedTree tree = new ContainedTree(porter, render, marker, trees);
        trees.add(tree);
        if (Thread.currentThread().isVirtual()) {
            porter.post(tree::startHere);
        } else {
            tree.startHere();
        }
        return tree;
    }

    private void startHere() {
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            forget(); // From now on commands are refused.
        }
    }

    private void live() {
        try {
            render.live();
        } finally {
            if (!awaitedByCaller) {
                porter.post(this::ended);
            }
        }
    }

    /// Not on the render's thread. After this no thread and no descriptor of the render exists.
    private void ended() {
        joinThread(() -> {});
        forget();
    }

    private void forget() {
        trees.remove(this);
        render.gone();
        gone.complete(true);
    }

    /// An interrupted caller still waits: what he started must end before he goes.
    private void joinThread(Runnable whenInterrupted) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
                whenInterrupted.run();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits until the thread is gone, also where it goes on in the background.
    void join() {
        boolean _ = awaited(gone, () -> {});
    }

    @Override
    public Outcome run(Command command, TimeLimits time, Cancellation cancellation) {
        turn.lock();
        try {
            refuseWhenClosed();
            CompletableFuture<Outcome> result = new CompletableFuture<>();
            Executor courier = Thread.currentThread().isVirtual() ? porter::post : Runnable::run;
            try (Cancellation.Subscription _ = cancellation.onCancel(render::wake)) {
                render.submit(new RenderThread.Job(command, time, cancellation, result, courier));
                return awaited(result, () -> cancellation.cancel("the call was interrupted"));
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    public Outcome runLast(Command command, TimeLimits time, Cancellation cancellation) {
        if (Thread.currentThread().isVirtual() || render.endsInBackground()) {
            return run(command, time, cancellation);
        }
        turn.lock();
        try {
            refuseWhenClosed();
            closed = true;
            awaitedByCaller = true;
            CompletableFuture<Outcome> result = new CompletableFuture<>();
            try (Cancellation.Subscription _ = cancellation.onCancel(render::wake)) {
                render.submitLast(new RenderThread.Job(command, time, cancellation, result, Runnable::run));
                joinThread(() -> cancellation.cancel("the call was interrupted"));
            }
            forget();
            boolean _ = result.completeExceptionally(
                    new IllegalStateException("the render's thread ended without an outcome"));
            return awaited(result, () -> {});
        } finally {
            turn.unlock();
        }
    }

    private void refuseWhenClosed() {
        if (closed) {
            throw new IllegalStateException("the render is over");
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
            if (closed) {
                return;
            }
            closed = true;
            if (Thread.currentThread().isVirtual() || render.endsInBackground()) {
                boolean _ = awaited(render.close(), () -> {});
            } else {
                awaitedByCaller = true;
                CompletableFuture<Boolean> _ = render.close();
                ended();
            }
        } finally {
            turn.unlock();
        }
    }
}

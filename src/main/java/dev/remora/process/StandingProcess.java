package dev.remora.process;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A process that stays: it is asked by lines on its standard input and answers each by one line on its standard
/// output. It is in a domain of its own, as a render's commands are in theirs, and what it starts for one question is
/// ended before the answer is given.
///
/// It starts in the background when it is made. Once gone it stays gone. The lock lets one question be asked at a time.
/// The callers' side of a [StandingThread].
public final class StandingProcess implements AutoCloseable {
    private static final long STACK_BYTES = 256 * 1024;

    private final StandingThread standing;
    private final Porter porter;
    private final Set<StandingProcess> all;
    private final Thread thread;
    private final Consumer<Answer.Gone> whenGone;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private final ReentrantLock turn = new ReentrantLock();

    private StandingProcess(
            Porter porter,
            StandingThread standing,
            String marker,
            Set<StandingProcess> all,
            Consumer<Answer.Gone> whenGone) {
        this.standing = standing;
        this.porter = porter;
        this.all = all;
        this.whenGone = whenGone;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("standing-" + marker)
                .stackSize(STACK_BYTES)
                .inheritInheritableThreadLocals(false)
                .unstarted(this::live);
    }

    /// @param all holds the process as long as its thread lives
    static StandingProcess start(
            Porter porter,
            StandingThread standing,
            String marker,
            Set<StandingProcess> all,
            Consumer<Answer.Gone> whenGone) {
        StandingProcess process = new StandingProcess(porter, standing, marker, all, whenGone);
        all.add(process);
        if (Thread.currentThread().isVirtual()) {
            porter.post(process::startHere);
        } else {
            process.startHere();
        }
        return process;
    }

    private void startHere() {
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            porter.post(this::forget);
        }
    }

    private void live() {
        try {
            standing.live();
        } finally {
            porter.post(this::forget);
        }
    }

    /// On the porter: the thread's work is done, and nothing of it is alive.
    private void forget() {
        all.remove(this);
        standing.ended();
        standing.gone().ifPresent(whenGone);
        ended.complete(true);
    }

    /// Asks, and waits for the answer. The caller may be a virtual thread; interrupting him cancels.
    public Answer ask(Question question) {
        turn.lock();
        try {
            CompletableFuture<Answer> result = new CompletableFuture<>();
            boolean virtual = Thread.currentThread().isVirtual();
            try (Cancellation.Subscription _ = question.cancellation().onCancel(standing::wake)) {
                standing.submit(new StandingThread.Job(question, result, virtual ? porter::post : Runnable::run));
                return awaited(result, question.cancellation());
            }
        } finally {
            turn.unlock();
        }
    }

    /// An interrupted caller still waits: what was started for him must end before he goes.
    private static <T> T awaited(CompletableFuture<T> result, Cancellation cancellation) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                    cancellation.cancel("the call was interrupted");
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Why it can be asked no more, as soon as that is known; its processes may be alive for a moment longer.
    public Optional<Answer.Gone> gone() {
        return standing.gone();
    }

    /// Begins to end it, and returns at once: the end of its input and TERM, KILL after `grace`.
    public void end(Duration grace) {
        standing.close(grace);
    }

    /// Returns when nothing of it is alive.
    public void awaitEnd() {
        boolean _ = awaited(ended, new Cancellation());
    }

    /// Ends it with the usual grace, and waits.
    @Override
    public void close() {
        standing.close(ProcessSettings.CLOSE_GRACE);
        awaitEnd();
    }
}

package dev.remora.process;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Libc;
import dev.remora.posix.Poll;
import dev.remora.posix.Signal;
import dev.remora.sandbox.Fence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The one platform thread of a render: it goes behind the fence, runs the commands one by one, and at the end ends
/// what is left. It wakes nobody but the [Porter], and callers who are platform threads.
final class RenderThread {
    private static final int IDLE_WATCH_MILLIS = 50;
    private static final int NO_HURRY = -1;
    private static final int LEFT_OVER_MILLIS = 2;
    private static final long UNKILLABLE_NANOS = 10_000_000_000L;
    private static final long ARGOCD_GRACE_NANOS = 5_000_000_000L;

    private final RenderParts parts;
    private final CommandLimits limits;
    private final Fence fence;
    private final Members members;
    private final WakeUp wakeUp = new WakeUp();
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicBoolean hurried = new AtomicBoolean();
    private final List<Integer> groups = new ArrayList<>();

    private volatile @Nullable Job next;
    private volatile boolean over;
    private TimeLimits lastTime = TimeLimits.NONE;
    private boolean tooMany;

    /// One command that a caller waits for.
    ///
    /// @param courier completes the result: the caller must be woken in a way that starts no thread from here
    record Job(
            Command command,
            TimeLimits time,
            Cancellation cancellation,
            CompletableFuture<Outcome> result,
            Executor courier) {}

    RenderThread(RenderParts parts, CommandLimits limits, Fence fence, Members members) {
        this.parts = parts;
        this.limits = limits;
        this.fence = fence;
        this.members = members;
    }

    /// Any thread: the job is taken up at once if none runs. Callers take turns.
    void submit(Job job) {
        next = job;
        if (over) {
            refuseNext();
        }
        wake();
    }

    /// Nobody is left, or ever was, to take it up.
    private void refuseNext() {
        Job job = next;
        if (job != null) {
            boolean _ = job.result()
                    .completeExceptionally(new Fault(
                            FaultCode.COMMAND_START,
                            "no command can be started: there is no thread for it; the limit on processes and threads"
                                    + " (pids.max of the container, ulimit -u of the user) is reached"));
        }
    }

    /// As [#submit] and [#close] in one: nothing of the render is alive when the thread has ended.
    void submitLast(Job job) {
        submit(job);
        CompletableFuture<Boolean> _ = close();
    }

    /// Whether the thread goes on after [#close] was answered.
    boolean endsInBackground() {
        return parts.settings().ending() == ProcessSettings.Ending.AS_ARGOCD;
    }

    /// Any thread, at any time.
    void wake() {
        wakeUp.wake();
    }

    /// Any thread.
    CompletableFuture<Boolean> close() {
        closing.set(true);
        wake();
        return closed;
    }

    /// Any thread: what a render leaves to end in the background is ended now.
    void hurry() {
        hurried.set(true);
        wake();
    }

    /// When this thread has ended or could not be started.
    void gone() {
        over = true;
        refuseNext();
        wakeUp.close();
        closed.complete(true);
    }

    /// The thread's life.
    void live() {
        try (Libc libc = Libc.open()) {
            Poll poll = new Poll(libc, 1);
            poll.set(0, wakeUp.descriptor());
            RenderContext render = null;
            while (!closing.get() || next != null) {
                Job job = next;
                if (job == null) {
                    idle(poll);
                } else {
                    next = null;
                    try {
                        if (render == null) {
                            members.enter(fence);
                            render = RenderContext.open(parts, limits, members, wakeUp.descriptor(), libc);
                        }
                        Outcome outcome = run(render, job);
                        job.courier().execute(() -> job.result().complete(outcome));
                    } catch (RuntimeException | Error e) {
                        job.courier().execute(() -> job.result().completeExceptionally(e));
                    }
                }
            }
            if (render != null) {
                end(poll);
                render.close();
            }
        }
    }

    private Outcome run(RenderContext render, Job job) {
        lastTime = job.time();
        if (tooMany) {
            return new Outcome.TooManyProcesses(limits.processes(), Captured.NOTHING);
        }
        if (job.cancellation().isCancelled()) {
            return new Outcome.Cancelled(job.cancellation().reason().orElse(""), Captured.NOTHING);
        }
        long now = System.nanoTime();
        TimeLimit nearest = job.time().nearest().orElse(null);
        if (nearest != null && nearest.left(now) <= 0) {
            return new Outcome.TimedOut(nearest, false, Optional.empty(), Captured.NOTHING);
        }
        return switch (StartedCommand.start(render, job.command())) {
            case StartedCommand.Start.Refused(Outcome outcome) -> outcome;
            case StartedCommand.Start.Running(StartedCommand child) -> {
                groups.add(child.pid());
                yield new CommandRun(render, job.time(), job.cancellation(), child).finish();
            }
        };
    }

    /// Between two commands: what the first left in the background is watched.
    private void idle(Poll poll) {
        boolean watched = !groups.isEmpty() && members.orphansAlive();
        poll.await(watched ? IDLE_WATCH_MILLIS : NO_HURRY);
        if (poll.ready(0)) {
            Descriptors.calm(wakeUp.descriptor());
        }
        if (watched) {
            members.observe();
            if (members.present(limits.processes() + 1).size() > limits.processes()) {
                tooMany = true;
                endAll(poll, System.nanoTime());
            }
        }
    }

    private void end(Poll poll) {
        if (endsInBackground()) {
            parts.porter().post(() -> closed.complete(true));
            endGroups(poll);
        } else {
            long now = System.nanoTime();
            long grace = TimeLimit.saturated(parts.settings().closeGrace());
            long left =
                    lastTime.killByNanos().isPresent() ? lastTime.killByNanos().getAsLong() - now : grace;
            endAll(poll, now + Math.clamp(left, 0, grace));
        }
    }

    /// TERM now, KILL from `killAt` on, until nobody is left.
    private void endAll(Poll poll, long killAt) {
        boolean asked = false;
        while (members.orphansAlive() && System.nanoTime() - killAt < UNKILLABLE_NANOS) {
            if (System.nanoTime() - killAt >= 0) {
                members.signal(Signal.SIGKILL);
            } else if (!asked) {
                members.signal(Signal.SIGTERM);
                asked = true;
            }
            pause(poll, LEFT_OVER_MILLIS);
        }
        if (System.nanoTime() - killAt >= UNKILLABLE_NANOS) {
            parts.unended().incrementAndGet();
        }
    }

    /// As Argo CD's server does after every call, in the background; what left the group is not met.
    private void endGroups(Poll poll) {
        long killAt = System.nanoTime() + ARGOCD_GRACE_NANOS;
        groups.forEach(group -> members.signalGroup(group, Signal.SIGTERM));
        while (groups.stream().anyMatch(members::groupAlive) && System.nanoTime() - killAt < 0 && !hurried.get()) {
            pause(poll, IDLE_WATCH_MILLIS);
        }
        groups.forEach(group -> members.signalGroup(group, Signal.SIGKILL));
    }

    private void pause(Poll poll, int milliseconds) {
        poll.await(milliseconds);
        if (poll.ready(0)) {
            Descriptors.calm(wakeUp.descriptor());
        }
    }
}

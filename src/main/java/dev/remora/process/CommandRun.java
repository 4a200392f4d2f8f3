package dev.remora.process;

import dev.remora.posix.Descriptors;
import dev.remora.posix.Libc;
import dev.remora.posix.Poll;
import dev.remora.posix.Processes;
import dev.remora.posix.Signal;
import dev.remora.posix.WaitStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One command from its start until it, its output and, where it had to be ended, all its render's processes are gone:
/// one loop around `poll` on the render's thread, over standard output, standard error, the child and a wake-up.
///
/// A command that ends by itself is done when its output ends too: a process it left in the background may still
/// print, and half an output is worse than none. Such a process has until the nearest limit.
///
/// When a limit fires or the caller goes: TERM to all members, and everything is read on, so that what a command says
/// while it cleans up is heard; KILL when the grace is over, again and again until nobody is left. Only then is the
/// outcome given.
final class CommandRun {
    private static final int CHILD = 2;
    private static final int WAKE = 3;
    private static final int SLOTS = 4;

    /// Between looks at the number of processes.
    private static final long WATCH_NANOS = 20_000_000;

    /// Between looks at who is left while we wait for their end, of which nobody tells us.
    private static final long ENDING_NANOS = 2_000_000;

    /// A process that the kernel cannot end (a dead network file system) is left to the reaper after this.
    private static final long UNKILLABLE_NANOS = 10_000_000_000L;

    private static final long ARGOCD_GRACE_NANOS = 5_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RenderContext render;
    private final TimeLimits time;
    private final Cancellation cancellation;
    private final int pid;
    private final int pidfd;
    private final long started = System.nanoTime();
    private final long memoryKillsBefore;
    private final Libc libc = Libc.open();
    private final Poll poll = new Poll(libc, SLOTS);
    private final Streams streams;

    private @Nullable WaitStatus status;
    private @Nullable Function<Captured, Outcome> stopped;
    private long watchedAt = started;
    private long stoppedAt;
    private long killAt;
    private boolean killed;
    private boolean cancelSeen;

    CommandRun(RenderContext render, TimeLimits time, Cancellation cancellation, StartedCommand child) {
        this.render = render;
        this.time = time;
        this.cancellation = cancellation;
        this.pid = child.pid();
        this.memoryKillsBefore = child.memoryKillsBefore();
        this.pidfd = Descriptors.pidfd(pid);
        this.streams = new Streams(
                poll,
                render.buffer(),
                child.stdoutEnd(),
                child.stderrEnd(),
                render.limits().stdoutBytes(),
                HeadAndTail.of(render.settings()));
        poll.set(CHILD, pidfd);
        poll.set(WAKE, render.wake());
    }

    /// Waits for the end.
    Outcome finish() {
        try {
            while (!done()) {
                poll.await(milliseconds());
                if (poll.ready(WAKE)) {
                    Descriptors.calm(render.wake());
                }
                streams.readReady();
                reap();
                decide();
            }
            streams.drain();
            return outcome();
        } finally {
            abandon();
        }
    }

    private boolean done() {
        if (status == null) {
            return killed && System.nanoTime() - killAt > UNKILLABLE_NANOS;
        }
        if (stopped == null) {
            return streams.ended();
        }
        if (render.asArgoCd()) {
            return streams.ended() || killed;
        }
        return !render.members().orphansAlive() || (killed && System.nanoTime() - killAt > UNKILLABLE_NANOS);
    }

    private int milliseconds() {
        long now = System.nanoTime();
        long nanos = stopped == null ? WATCH_NANOS : ENDING_NANOS;
        if (stopped == null && time.endNanos().isPresent()) {
            nanos = Math.min(nanos, time.endNanos().get() - now);
        } else if (stopped != null && !killed) {
            nanos = Math.min(nanos, killAt - now);
        }
        return (int) Math.max(0, (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    }

    private void reap() {
        if (status == null && (pidfd < 0 || poll.ready(CHILD) || stopped != null)) {
            Processes.reap(pid).ifPresent(ended -> {
                status = ended;
                poll.clear(CHILD);
            });
        }
    }

    private void decide() {
        long now = System.nanoTime();
        noticeCancellation(now);
        if (stopped == null) {
            if (status != null && streams.ended()) {
                return;
            }
            noticeLimits(now);
        }
        if (stopped == null && status != null && !status.exited() && !render.asArgoCd()) {
            // Nobody needs what is still printed: the answer is that the command was killed, and it is due now.
            stop(now, time.graceEndNanos(now, closeGrace()), this::signalled);
        }
        if (stopped != null && now - killAt >= 0) {
            kill();
        }
    }

    /// Also while a limit ends the command: once the caller has gone, no answer is in a hurry.
    private void noticeCancellation(long now) {
        if (cancelSeen || !cancellation.isCancelled()) {
            return;
        }
        cancelSeen = true;
        if (stopped == null) {
            String reason = cancellation.reason().orElse("cancelled");
            stop(now, now + grace(), output -> new Outcome.Cancelled(reason, output));
        } else if (!killed && !render.asArgoCd()) {
            killAt = stoppedAt + grace();
        }
    }

    private void noticeLimits(long now) {
        Optional<Long> nearest = time.endNanos();
        if (nearest.isPresent() && now - nearest.get() >= 0) {
            TimeLimit limit = time.nearest().orElseThrow();
            Optional<String> holder = status == null ? Optional.empty() : Optional.of(holder());
            stop(now, time.graceEndNanos(now, grace()), output -> new Outcome.TimedOut(limit, true, holder, output));
        } else if (streams.tooMuch()) {
            long limit = render.limits().stdoutBytes();
            stop(now, now + closeGrace(), output -> new Outcome.OutputTooLarge(limit, output));
        } else if (tooManyProcesses(now)) {
            int limit = render.limits().processes();
            stop(now, now, output -> new Outcome.TooManyProcesses(limit, output));
        }
    }

    private boolean tooManyProcesses(long now) {
        if (now - watchedAt < WATCH_NANOS) {
            return false;
        }
        watchedAt = now;
        render.members().observe();
        return render.counter().exceeded();
    }

    private void stop(long now, long kill, Function<Captured, Outcome> why) {
        stopped = why;
        stoppedAt = now;
        killAt = kill;
        if (render.asArgoCd()) {
            killAt = now + ARGOCD_GRACE_NANOS;
            if (status == null) {
                long _ = Processes.kill(pid, Signal.SIGKILL);
            }
            render.members().signalGroup(pid, Signal.SIGTERM);
        } else if (killAt - now > 0) {
            render.members().signal(Signal.SIGTERM);
        }
    }

    private void kill() {
        if (render.asArgoCd()) {
            render.members().signalGroup(pid, Signal.SIGKILL);
        } else {
            render.members().signal(Signal.SIGKILL);
        }
        killed = true;
    }

    private long grace() {
        return TimeLimit.saturated(time.grace());
    }

    private long closeGrace() {
        return TimeLimit.saturated(render.settings().closeGrace());
    }

    private String holder() {
        return OutputHolder.describe(render, streams.open());
    }

    private Outcome outcome() {
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        Captured output = streams.captured(took, memoryRanOut());
        if (stopped != null) {
            return stopped.apply(output);
        }
        WaitStatus end = Objects.requireNonNull(status);
        if (end.exited()) {
            return new Outcome.Exited(end.exitStatus(), output);
        }
        return signalled(output);
    }

    private boolean memoryRanOut() {
        return render.memory().killed() > memoryKillsBefore || groupRanOut();
    }

    private boolean groupRanOut() {
        return render.group().map(RenderGroup::memoryFired).orElse(false);
    }

    private Outcome signalled(Captured output) {
        WaitStatus end = Objects.requireNonNull(status);
        boolean outOfMemory = memoryRanOut() && end.signal() == Signal.SIGKILL;
        return new Outcome.Signalled(end.signal(), end.coreDumped(), outOfMemory, limitBehind(end.signal()), output);
    }

    private Optional<String> limitBehind(int signal) {
        return switch (signal) {
            case Signal.SIGXCPU ->
                render.limits().cpuSeconds().isPresent() ? Optional.of("limits.cpu") : Optional.empty();
            case Signal.SIGKILL -> groupRanOut() ? Optional.of("limits.memory") : Optional.empty();
            case Signal.SIGXFSZ ->
                render.limits().fileSize().isPresent() ? Optional.of("limits.fileSize") : Optional.empty();
            default -> Optional.empty();
        };
    }

    /// Also on an error of ours: no descriptor and no running command stays behind.
    private void abandon() {
        if (status == null) {
            long _ = Processes.kill(pid, Signal.SIGKILL);
        }
        streams.close();
        if (pidfd >= 0) {
            Descriptors.close(pidfd);
        }
        libc.close();
    }
}

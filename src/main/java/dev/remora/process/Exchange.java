package dev.remora.process;

import dev.remora.posix.Signal;
import dev.remora.process.ProcessTable.Stat;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One question and its answer, and the end of everything else that was started meanwhile.
///
/// When a limit fires or the caller goes: the line that asks to give up; after a moment TERM to all members; KILL when
/// the grace is over. An answer that comes before TERM is given back with the reason, and the process stays: whether it
/// is still fit for use the caller knows. Too much output or too many processes: KILL at once.
final class Exchange {
    /// Between looks at the number of processes.
    private static final long WATCH_NANOS = 20_000_000;

    /// Between looks at who is left while we wait for their end, of which nobody tells us.
    private static final long ENDING_NANOS = 2_000_000;

    /// A process that knows how to give up does so within this.
    private static final long GIVE_UP_NANOS = 2_000_000_000;

    /// What forks faster than it is ended takes the standing process with it.
    private static final long STUCK_NANOS = 2_000_000_000;

    private static final long UNKILLABLE_NANOS = 10_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RenderContext render;
    private final StandingPipes pipes;
    private final Question question;
    private final HeadAndTail said;
    private final BooleanSupplier closing;
    private final LineBuffer line;
    private final long started = System.nanoTime();

    private @Nullable Function<Captured, Outcome> stopped;
    private long watchedAt = started;
    private long termAt;
    private long killAt;
    private boolean asked;
    private boolean killed;

    /// @param said what the process said since its start, or nothing
    /// @param closing whether the process is to end
    Exchange(RenderContext render, StandingPipes pipes, Question question, HeadAndTail said, BooleanSupplier closing) {
        this.render = render;
        this.closing = closing;
        this.pipes = pipes;
        this.question = question;
        this.said = said;
        this.line = new LineBuffer(question.answerBytes());
    }

    Answer run() {
        pipes.send(question.line());
        while (true) {
            pipes.await(milliseconds(), line, said);
            if (line.complete() && !line.exceeded() && !asked && !killed) {
                return answered();
            }
            if (stopped == null && !line.exceeded() && pipes.broken().isPresent()) {
                return lost(Answer.Why.ENDED, pipes.broken().get());
            }
            decide();
            if (stopped != null && over()) {
                return new Answer.Stopped(stopped.apply(captured()));
            }
        }
    }

    private int milliseconds() {
        long now = System.nanoTime();
        long nanos = asked || killed ? ENDING_NANOS : WATCH_NANOS;
        if (stopped != null) {
            nanos = Math.min(nanos, Math.max(0, (asked ? killAt : termAt) - now));
        } else if (question.time().endNanos().isPresent()) {
            nanos = Math.min(nanos, question.time().endNanos().get() - now);
        }
        long least = killed ? ENDING_NANOS : 0;
        return (int) Math.max(0, (Math.max(least, nanos) + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    }

    /// Whether nothing is left of a process that was ended.
    private boolean over() {
        boolean unkillable = killed && System.nanoTime() - killAt > UNKILLABLE_NANOS;
        return unkillable || (!pipes.running() && !render.members().orphansAlive());
    }

    private void decide() {
        long now = System.nanoTime();
        if (stopped == null) {
            noticeLimits(now);
        }
        if (stopped == null) {
            return;
        }
        if (now - killAt >= 0) {
            render.members().signal(Signal.SIGKILL);
            killed = true;
        } else if (!asked && now - termAt >= 0) {
            render.members().signal(Signal.SIGTERM);
            asked = true;
        }
    }

    private void noticeLimits(long now) {
        Optional<Long> end = question.time().endNanos();
        if (question.cancellation().isCancelled()) {
            String reason = question.cancellation().reason().orElse("cancelled");
            giveUp(now, now + grace(), output -> new Outcome.Cancelled(reason, output));
        } else if (closing.getAsBoolean()) {
            stop(now, output -> new Outcome.Cancelled("its process was told to end", output));
        } else if (end.isPresent() && now - end.get() >= 0) {
            TimeLimit limit = question.time().nearest().orElseThrow();
            giveUp(
                    now,
                    question.time().graceEndNanos(now, grace()),
                    output -> new Outcome.TimedOut(limit, true, Optional.empty(), output));
        } else if (line.exceeded()) {
            stop(now, output -> new Outcome.OutputTooLarge(question.answerLimit(), output));
        } else if (tooManyProcesses(now)) {
            int limit = render.limits().processes();
            stop(now, output -> new Outcome.TooManyProcesses(limit, output));
        }
    }

    private long grace() {
        return TimeLimit.saturated(question.time().grace());
    }

    private void giveUp(long now, long kill, Function<Captured, Outcome> why) {
        stopped = why;
        killAt = kill;
        boolean understood = pipes.sent();
        termAt = understood ? now + Math.clamp((kill - now) / 2, 0, GIVE_UP_NANOS) : now;
        if (understood) {
            pipes.send(question.cancelLine());
        }
    }

    private void stop(long now, Function<Captured, Outcome> why) {
        stopped = why;
        termAt = now;
        killAt = now;
    }

    private boolean tooManyProcesses(long now) {
        if (now - watchedAt < WATCH_NANOS) {
            return false;
        }
        watchedAt = now;
        render.members().observe();
        return render.counter().exceeded();
    }

    private Answer answered() {
        endOthers();
        pipes.drain(line, said);
        if (line.followed()) {
            return lost(Answer.Why.OUT_OF_TURN, "it printed more than one line");
        }
        Optional<Outcome> late = Optional.ofNullable(stopped).map(why -> why.apply(captured()));
        long resident = pipes.running() ? ProcessTable.residentBytes(pipes.pid()) : 0;
        return new Answer.Line(line.bytes(), said.text(), took(), resident, late);
    }

    /// Not to be used any more: everything is ended, now.
    private Answer lost(Answer.Why why, String how) {
        killAll();
        return new Answer.Gone(why, how, said.text());
    }

    private void killAll() {
        long begun = System.nanoTime();
        while ((pipes.running() || render.members().orphansAlive()) && System.nanoTime() - begun < UNKILLABLE_NANOS) {
            render.members().signal(Signal.SIGKILL);
            pipes.await((int) (ENDING_NANOS / NANOS_PER_MILLI), new LineBuffer(0), said);
        }
    }

    /// What the answer's maker started and left: TERM, a short grace, KILL. The maker itself stays.
    private void endOthers() {
        long begun = System.nanoTime();
        long kill = question.time()
                .graceEndNanos(begun, TimeLimit.saturated(render.settings().closeGrace()));
        Set<Integer> told = new HashSet<>();
        for (List<Integer> others = others(); !others.isEmpty(); others = others()) {
            long now = System.nanoTime();
            if (now - kill > STUCK_NANOS) {
                killAll();
                return;
            }
            for (int other : others) {
                if (now - kill >= 0) {
                    render.members().signalOne(other, Signal.SIGKILL);
                } else if (told.add(other)) {
                    render.members().signalOne(other, Signal.SIGTERM);
                }
            }
            pipes.await((int) (ENDING_NANOS / NANOS_PER_MILLI), line, said);
        }
    }

    private List<Integer> others() {
        boolean _ = render.members().orphansAlive();
        return render.members().present(Integer.MAX_VALUE).stream()
                .filter(pid -> pid != pipes.pid())
                .filter(pid -> render.table().stat(pid).filter(Stat::alive).isPresent())
                .toList();
    }

    private Duration took() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    private Captured captured() {
        return new Captured(new byte[0], said.text(), line.length(), said.seen(), took(), false);
    }
}

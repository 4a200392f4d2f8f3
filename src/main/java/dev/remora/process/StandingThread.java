package dev.remora.process;

import dev.remora.fault.Fault;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Descriptors.Pipe;
import dev.remora.posix.Libc;
import dev.remora.posix.Signal;
import dev.remora.sandbox.Fence;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The one platform thread of a standing process: it enters the domain, starts the process, passes questions on, and
/// at the end ends whatever is left. As a render's thread it wakes nobody but the [Porter] and callers who are platform
/// threads.
final class StandingThread {
    private static final int FOR_EVER = -1;
    private static final int ENDING_MILLIS = 2;

    /// A process that the kernel cannot end is left to the reaper after this.
    private static final long UNKILLABLE_NANOS = 10_000_000_000L;

    private final RenderParts parts;
    private final CommandLimits limits;
    private final Fence fence;
    private final Members members;
    private final Command command;
    private final WakeUp wakeUp = new WakeUp();

    private volatile @Nullable Job next;
    private volatile boolean over;
    private volatile boolean closing;
    private volatile long grace;
    private volatile Answer.@Nullable Gone gone;

    /// A question that a caller waits for.
    ///
    /// @param courier completes the result: the caller must be woken in a way that starts no thread from here
    record Job(Question question, CompletableFuture<Answer> result, Executor courier) {}

    StandingThread(RenderParts parts, CommandLimits limits, Fence fence, Members members, Command command) {
        this.parts = parts;
        this.limits = limits;
        this.fence = fence;
        this.members = members;
        this.command = command;
        this.grace = TimeLimit.saturated(parts.settings().closeGrace());
    }

    /// Any thread; callers take turns.
    void submit(Job job) {
        next = job;
        if (over) {
            answerNext();
        }
        wake();
    }

    /// Any thread, at any time.
    void wake() {
        wakeUp.wake();
    }

    /// Any thread.
    ///
    /// @param from asking it to end until it is ended; zero: at once
    void close(Duration from) {
        grace = Math.min(grace, TimeLimit.saturated(from));
        closing = true;
        wake();
    }

    /// Why it is gone; empty while it is not.
    Optional<Answer.Gone> gone() {
        return Optional.ofNullable(gone);
    }

    /// When the thread has ended or could not be started.
    void ended() {
        goneBecause(Answer.Why.NOT_STARTED, "there is no thread for it", "");
        over = true;
        answerNext();
        wakeUp.close();
    }

    private void answerNext() {
        Job job = next;
        Answer.Gone why = gone;
        if (job != null && why != null) {
            boolean _ = job.result().complete(why);
        }
    }

    /// The first reason counts.
    private void goneBecause(Answer.Why why, String how, String said) {
        if (gone == null) {
            gone = new Answer.Gone(why, how, said);
        }
    }

    /// The thread's life.
    void live() {
        try (Libc libc = Libc.open()) {
            members.enter(fence);
            try (RenderContext render = RenderContext.open(parts, limits, members, wakeUp.descriptor(), libc)) {
                Pipe input = Descriptors.pipe();
                Pipe life = lifeBeside(input);
                try {
                    start(render, libc, input, life);
                } finally {
                    Descriptors.close(life.writeEnd());
                }
            }
        } catch (RuntimeException | Error e) {
            goneBecause(Answer.Why.NOT_STARTED, e instanceof Fault fault ? Fault.words(fault) : e.toString(), "");
        }
    }

    private static Pipe lifeBeside(Pipe input) {
        try {
            return Descriptors.pipe();
        } catch (RuntimeException e) {
            Descriptors.close(input.readEnd());
            Descriptors.close(input.writeEnd());
            throw e;
        }
    }

    /// Should this JVM be killed, the kernel closes our ends of both pipes: the process reads the end of its input, and
    /// its whole group is killed by what the second one is tied to, whether it reads or not.
    private void start(RenderContext render, Libc libc, Pipe input, Pipe life) {
        StartedCommand.Start start;
        try {
            start = StartedCommand.start(render, command, new StartedCommand.Feed(input.readEnd(), life.readEnd()));
            if (start instanceof StartedCommand.Start.Running(StartedCommand child)) {
                Descriptors.neverBlock(input.writeEnd());
                long _ = Descriptors.signalWhenClosed(life.readEnd(), child.pid(), Signal.SIGKILL);
            }
        } finally {
            Descriptors.close(input.readEnd());
            Descriptors.close(life.readEnd());
        }
        switch (start) {
            case StartedCommand.Start.Refused(Outcome outcome) -> {
                Descriptors.close(input.writeEnd());
                goneBecause(Answer.Why.NOT_STARTED, refusal(outcome), "");
            }
            case StartedCommand.Start.Running(StartedCommand child) -> {
                try (StandingPipes pipes = new StandingPipes(render, libc, child, input.writeEnd())) {
                    try {
                        serve(render, pipes);
                    } finally {
                        end(pipes);
                    }
                }
            }
        }
    }

    private static String refusal(Outcome outcome) {
        return outcome instanceof Outcome.NotStarted notStarted ? notStarted.text() : outcome.toString();
    }

    private void serve(RenderContext render, StandingPipes pipes) {
        HeadAndTail said = new HeadAndTail(HeadAndTail.HEAD);
        LineBuffer unasked = new LineBuffer(0);
        boolean asked = false;
        while (!closing && gone == null) {
            Job job = next;
            if (job == null) {
                pipes.await(FOR_EVER, unasked, said);
                idle(pipes, unasked, said);
            } else {
                next = null;
                // What it says at its start explains a failure; what it says between two questions belongs to neither.
                said = asked ? new HeadAndTail(HeadAndTail.HEAD) : said;
                Answer answer = exchange(render, pipes, job.question(), said);
                job.courier().execute(() -> job.result().complete(answer));
                asked = true;
            }
        }
        goneBecause(Answer.Why.CLOSED, "it was told to end", said.text());
    }

    /// An error of ours, as for want of memory, ends the process too: what it would say next belongs to nobody.
    private Answer exchange(RenderContext render, StandingPipes pipes, Question question, HeadAndTail said) {
        try {
            Answer answer = new Exchange(render, pipes, question, said, () -> closing).run();
            noteEnd(answer, pipes);
            return answer;
        } catch (RuntimeException | Error e) {
            grace = 0;
            Answer.Gone failed = new Answer.Gone(Answer.Why.ENDED, "its answer could not be taken: " + e, "");
            gone = failed;
            return failed;
        }
    }

    /// Between two questions a process is silent.
    private void idle(StandingPipes pipes, LineBuffer unasked, HeadAndTail said) {
        if (unasked.length() > 0 || unasked.complete()) {
            goneBecause(Answer.Why.OUT_OF_TURN, "it printed what nobody had asked for", said.text());
        }
        pipes.broken().ifPresent(how -> goneBecause(Answer.Why.ENDED, how, said.text()));
    }

    private void noteEnd(Answer answer, StandingPipes pipes) {
        switch (answer) {
            case Answer.Gone(Answer.Why why, String how, String said) -> goneBecause(why, how, said);
            case Answer.Stopped _ -> goneBecause(Answer.Why.CLOSED, "a limit ended it", "");
            case Answer.Line line -> pipes.broken().ifPresent(how -> goneBecause(Answer.Why.ENDED, how, line.stderr()));
        }
    }

    /// The end of its input; TERM when half of the grace is over, KILL when all of it is, until nobody is left.
    private void end(StandingPipes pipes) {
        pipes.closeInput();
        long begun = System.nanoTime();
        boolean asked = false;
        while (pipes.running() || members.orphansAlive()) {
            long now = System.nanoTime();
            if (now - begun - grace > UNKILLABLE_NANOS) {
                return;
            }
            if (now - begun >= grace) {
                members.signal(Signal.SIGKILL);
            } else if (!asked && now - begun >= grace / 2) {
                members.signal(Signal.SIGTERM);
                asked = true;
            }
            pipes.await(ENDING_MILLIS, new LineBuffer(0), new HeadAndTail(HeadAndTail.HEAD));
        }
    }
}

package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Descriptors.Pipe;
import dev.remora.posix.Errno;
import dev.remora.posix.Processes;
import dev.remora.posix.Signal;
import dev.remora.posix.Spawn;
import dev.remora.posix.SpawnRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A child that runs, with our ends of its pipes.
record StartedCommand(int pid, int stdoutEnd, int stderrEnd, long memoryKillsBefore) {
    /// A script that was written a moment ago counts as busy while a child that another render is just starting still
    /// holds the writer's descriptor; that lasts until its `exec`.
    private static final int BUSY_TRIES = 50;

    private static final long BUSY_PAUSE_MILLIS = 2;

    /// Either the child or why there is none.
    sealed interface Start {
        record Running(StartedCommand child) implements Start {}

        record Refused(Outcome outcome) implements Start {}
    }

    /// What a child gets besides its two outputs: descriptors of ours, or none.
    record Feed(int stdin, int fourth) {
        static final Feed NOTHING = new Feed(SpawnRequest.NONE, SpawnRequest.NONE);
    }

    static Start start(RenderContext render, Command command) {
        return start(render, command, Feed.NOTHING);
    }

    /// @param feed stays the caller's to close
    static Start start(RenderContext render, Command command, Feed feed) {
        if (command.argv().isEmpty()) {
            return new Start.Refused(StartFailure.notStarted("Command is empty", Optional.empty(), 0));
        }
        return switch (render.lookup().find(command.argv().getFirst())) {
            case ProgramLookup.Found.Refused(String cause) ->
                new Start.Refused(StartFailure.notStarted(cause, Optional.empty(), 0));
            case ProgramLookup.Found.Program(Bytes path) ->
                StartFailure.beforeStart(command, path)
                        .<Start>map(Start.Refused::new)
                        .orElseGet(() -> spawn(render, command, path, feed));
        };
    }

    private static Start spawn(RenderContext render, Command command, Bytes program, Feed feed) {
        long memoryKills = render.memory().killed();
        Pipe stdout = Descriptors.pipe();
        Pipe stderr = pipeBeside(stdout);
        SpawnRequest request = new SpawnRequest(
                program,
                command.argv(),
                marked(render, command),
                command.directory(),
                feed.stdin(),
                stdout.writeEnd(),
                stderr.writeEnd(),
                feed.fourth());
        int pid = spawnBounded(render, request);
        if (pid < 0) {
            Descriptors.close(stdout.readEnd());
            Descriptors.close(stderr.readEnd());
            return new Start.Refused(StartFailure.ofErrno(command, program, -pid));
        }
        render.members().started(pid);
        StartedCommand child = new StartedCommand(pid, stdout.readEnd(), stderr.readEnd(), memoryKills);
        return limit(render, pid)
                .<Start>map(failed -> new Start.Refused(child.undo(failed)))
                .orElseGet(() -> new Start.Running(child));
    }

    /// By the porter: behind a fence nobody sets limits of another process.
    private static Optional<String> limit(RenderContext render, int pid) {
        KernelLimits limits = new KernelLimits(render.limits(), render.perUser().holds());
        if (limits.areNone() && render.group().isEmpty()) {
            return Optional.empty();
        }
        return render.porter().ask(() -> {
            boolean bounded =
                    render.group().map(group -> group.take(pid, render.table())).orElse(true);
            return bounded ? limits.applyTo(pid, render.table()) : Optional.of("limits.memory: the control group");
        });
    }

    private static Pipe pipeBeside(Pipe first) {
        try {
            return Descriptors.pipe();
        } catch (RuntimeException e) {
            Descriptors.close(first.readEnd());
            Descriptors.close(first.writeEnd());
            throw e;
        }
    }

    /// The child's number or a negated errno; its ends of the pipes are closed here.
    private static int spawnBounded(RenderContext render, SpawnRequest request) {
        render.perUser().enter(render.limits().processes());
        try {
            return spawn(request);
        } finally {
            render.perUser().leave();
            Descriptors.close(request.stdout());
            Descriptors.close(request.stderr());
        }
    }

    private static List<Bytes> marked(RenderContext render, Command command) {
        List<Bytes> environment = new ArrayList<>(render.members().marks());
        environment.addAll(command.environment());
        return environment;
    }

    private static int spawn(SpawnRequest request) {
        int pid = Spawn.start(request);
        for (int i = 0; pid == -Errno.ETXTBSY && i < BUSY_TRIES; i++) {
            pause();
            pid = Spawn.start(request);
        }
        return pid;
    }

    private static void pause() {
        try {
            Thread.sleep(BUSY_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A limit that cannot be set is not silently left out.
    private Outcome undo(String failed) {
        long _ = Processes.kill(pid, Signal.SIGKILL);
        while (Processes.reap(pid).isEmpty()) {
            pause();
        }
        Descriptors.close(stdoutEnd);
        Descriptors.close(stderrEnd);
        return StartFailure.notStarted("the limit cannot be set: " + failed, Optional.empty(), 0);
    }
}

package dev.remora.worker;

import dev.remora.process.Answer;
import dev.remora.process.Cancellation;
import dev.remora.process.Captured;
import dev.remora.process.Outcome;
import dev.remora.process.Question;
import dev.remora.process.StandingProcess;
import dev.remora.process.TimeLimits;
import dev.remora.workspace.Workspace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// One worker: its process, and what it has done so far. Who it serves is the business of the [WorkerPool], whose lock
/// guards what changes and is not private; the rest is used by whoever has borrowed it.
final class Worker {
    /// What JSON may make of one byte of text that people write: a character of two bytes becomes six of `\\uXXXX`, a
    /// line's end two. (Control characters become six, and nobody's manifests consist of them.)
    private static final int ESCAPED = 3;

    /// What one array can hold.
    private static final long LONGEST_LINE = Integer.MAX_VALUE - 8;

    /// The other fields of an answer.
    private static final long FRAME_BYTES = 64 * 1024;

    private final WorkerSpec spec;
    private final StandingProcess process;
    private final Workspace place;
    private int asked;
    private long residentAtFirst;
    private Optional<WorkerEnd> due = Optional.empty();

    /// When it was given back, by `System.nanoTime()`.
    long lastUsed;

    /// Whether a call has borrowed it.
    boolean busy;

    /// Why it ended or is to end; told once.
    Optional<WorkerEnd> end = Optional.empty();

    /// Whether its definition is served no more.
    boolean outdated;

    /// Whether nothing of it is alive any more.
    boolean dead;

    Worker(WorkerSpec spec, StandingProcess process, Workspace place) {
        this.spec = spec;
        this.process = process;
        this.place = place;
    }

    WorkerSpec spec() {
        return spec;
    }

    /// Requests so far.
    int asked() {
        return asked;
    }

    /// Its own folder.
    Workspace place() {
        return place;
    }

    boolean standing() {
        return process.gone().isEmpty();
    }

    /// Why it must not be asked again, if so: what its last request showed, or that it is gone.
    Optional<WorkerEnd> due() {
        return due.isPresent() ? due : process.gone().map(gone -> reason(gone.why()));
    }

    void end(Duration grace) {
        process.end(grace);
    }

    void awaitEnd() {
        process.awaitEnd();
    }

    /// @param outputBytes the most that its output may have
    WorkerResult ask(WorkRequest request, TimeLimits time, Cancellation cancellation, long outputBytes) {
        int id = ++asked;
        Question question = new Question(
                request.line(id),
                WorkRequest.cancelLine(id),
                Math.min(outputBytes * ESCAPED + FRAME_BYTES, LONGEST_LINE),
                outputBytes,
                time,
                cancellation);
        return switch (process.ask(question)) {
            case Answer.Line line -> answered(line, id, outputBytes);
            case Answer.Gone gone -> failed(reason(gone.why()), gone.how() + said(gone.stderr()));
            case Answer.Stopped stopped -> {
                due = Optional.of(WorkerEnd.STOPPED);
                yield new WorkerResult.Ran(stopped.outcome());
            }
        };
    }

    static WorkerEnd reason(Answer.Why why) {
        return switch (why) {
            case NOT_STARTED -> WorkerEnd.START;
            case ENDED -> WorkerEnd.CRASH;
            case OUT_OF_TURN -> WorkerEnd.PROTOCOL;
            case CLOSED -> WorkerEnd.SERVER;
        };
    }

    private WorkerResult failed(WorkerEnd reason, String how) {
        due = Optional.of(reason);
        return new WorkerResult.Failed(reason.word(), how);
    }

    /// It must not be asked.
    WorkerResult.Failed unfit(String how) {
        due = Optional.of(WorkerEnd.UNFIT);
        return new WorkerResult.Failed(WorkerEnd.UNFIT.word(), how);
    }

    private static String said(String stderr) {
        return stderr.isBlank() ? "" : ": " + stderr.strip();
    }

    private WorkerResult answered(Answer.Line line, int id, long outputBytes) {
        WorkResponse response;
        try {
            response = WorkResponse.parse(line.text(), id);
            if (response.wasCancelled() && line.late().isEmpty()) {
                throw new WorkResponse.Malformed("it says that a request was cancelled which nobody had cancelled");
            }
        } catch (WorkResponse.Malformed malformed) {
            if (line.late().isPresent()) {
                due = Optional.of(WorkerEnd.PROTOCOL);
                return new WorkerResult.Ran(line.late().get());
            }
            return failed(WorkerEnd.PROTOCOL, malformed.getMessage() + said(line.stderr()));
        }
        noteUse(line.residentBytes());
        if (line.late().isPresent()) {
            // One that does not know what was asked will answer that too, out of turn.
            due = response.wasCancelled() ? due : Optional.of(WorkerEnd.STOPPED);
            return new WorkerResult.Ran(line.late().get());
        }
        return new WorkerResult.Ran(outcome(response, line, outputBytes));
    }

    private void noteUse(long resident) {
        if (asked == 1) {
            residentAtFirst = resident;
        }
        WorkerSpec.Bounds bounds = spec.bounds();
        boolean large =
                bounds.memory().isPresent() && resident > bounds.memory().getAsLong();
        if (large || resident - residentAtFirst > bounds.growth()) {
            due = Optional.of(WorkerEnd.MEMORY);
        } else if (asked >= bounds.requests()) {
            due = Optional.of(WorkerEnd.REQUESTS);
        }
    }

    /// As if a command had printed it. What a failed request has to say is for its reader, as standard error is.
    private static Outcome outcome(WorkResponse response, Answer.Line line, long outputBytes) {
        if (response.exitCode() != 0) {
            String text = response.output().isBlank()
                    ? line.stderr()
                    : response.output().strip() + "\n" + line.stderr();
            return new Outcome.Exited(response.exitCode(), captured(new byte[0], text, line.took()));
        }
        byte[] output = response.output().getBytes(StandardCharsets.UTF_8);
        return output.length > outputBytes
                ? new Outcome.OutputTooLarge(outputBytes, captured(new byte[0], line.stderr(), line.took()))
                : new Outcome.Exited(0, captured(output, line.stderr(), line.took()));
    }

    private static Captured captured(byte[] output, String stderr, Duration took) {
        long said = stderr.getBytes(StandardCharsets.UTF_8).length;
        return new Captured(output, stderr, output.length, said, took, false);
    }
}

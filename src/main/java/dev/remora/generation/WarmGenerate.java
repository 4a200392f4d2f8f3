package dev.remora.generation;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import dev.remora.process.Captured;
import dev.remora.process.Command;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandLimits;
import dev.remora.process.CommandRunner;
import dev.remora.process.Outcome;
import dev.remora.process.TimeLimits;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import dev.remora.worker.WorkRequest;
import dev.remora.worker.WorkerResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Runs `generate` in a worker. What it answers is judged as if the command had printed it; a render that does not
/// succeed is a fault. Where the worker itself fails, there is no answer.
final class WarmGenerate {
    private final CommandRunner runner;
    private final List<Bytes> environment;
    private final long answerBytes;
    private final GenerationRequest request;
    private final Phases phases;

    WarmGenerate(
            CommandRunner runner, CommandEnvironment own, long answerBytes, GenerationRequest request, Phases phases) {
        this.runner = runner;
        this.environment = request.commandEnvironment(own);
        this.answerBytes = answerBytes;
        this.request = request;
        this.phases = phases;
    }

    Optional<Captured> run(WarmRender warm) {
        Optional<WorkerResult.Ran> ran = phases.time(Phase.GENERATE, () -> ask(warm));
        if (ran.isEmpty()) {
            return Optional.empty();
        }
        Outcome outcome = ran.get().outcome();
        Optional<Fault> fault = runner.faults(
                        phases,
                        Phase.GENERATE,
                        CommandLimits.ofOutput(answerBytes),
                        request.confinement().fence())
                .of(named(), outcome);
        if (fault.isPresent()) {
            throw fault.get();
        }
        return Optional.of(outcome.output());
    }

    private Optional<WorkerResult.Ran> ask(WarmRender warm) {
        TimeLimits time =
                request.time().forCommand(request.plugin().settings().limits().timeout());
        if (tooLate(time)) {
            return Optional.empty(); // The command will not be started either, and says why.
        }
        WorkRequest asked = new WorkRequest(
                request.plugin().generate().args(),
                environment,
                warm.workspace(),
                request.application(),
                warm.verbosity());
        long most = Math.min(request.plugin().settings().limits().output().orElse(answerBytes), answerBytes);
        return warm.lease().ask(asked, time, request.cancellation(), most);
    }

    private boolean tooLate(TimeLimits time) {
        long now = System.nanoTime();
        return request.cancellation().isCancelled()
                || time.nearest().filter(limit -> limit.atNanos() - now <= 0).isPresent();
    }

    /// For messages: the worker's command with the request's arguments.
    private Command named() {
        List<Bytes> argv = new ArrayList<>();
        request.plugin()
                .settings()
                .worker()
                .ifPresent(worker -> worker.command().forEach(word -> argv.add(Bytes.utf8(word))));
        request.plugin().generate().args().forEach(word -> argv.add(Bytes.utf8(word)));
        return new Command(argv, environment, request.application());
    }
}

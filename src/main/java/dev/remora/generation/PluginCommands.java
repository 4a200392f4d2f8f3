package dev.remora.generation;

import dev.remora.fault.Fault;
import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.RemoraSettings;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.Captured;
import dev.remora.process.Command;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandLimits;
import dev.remora.process.CommandRunner;
import dev.remora.process.Outcome;
import dev.remora.process.ProcessTree;
import dev.remora.process.TimeLimits;
import dev.remora.sandbox.Fence;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.util.List;
import java.util.Optional;

/// Runs the commands of one render in its process tree; a command that does not succeed is a fault.
final class PluginCommands implements AutoCloseable {
    private final GenerationRequest request;
    private final List<Bytes> environment;
    private final Phases phases;
    private final CommandRunner runner;
    private final CommandLimits limits;
    private final Fence fence;
    private final ProcessTree tree;

    PluginCommands(
            CommandRunner runner, CommandEnvironment own, long outputBytes, GenerationRequest request, Phases phases) {
        RemoraSettings settings = request.plugin().settings();
        this.request = request;
        this.phases = phases;
        this.runner = runner;
        this.environment = request.commandEnvironment(own);
        this.limits = limits(settings.limits(), outputBytes);
        this.fence = request.confinement().fence();
        this.tree = runner.open(request.plugin().registeredName(), limits, fence);
    }

    /// Runs `spec` in the application's folder and gives what it printed.
    Captured run(Phase phase, CommandSpec spec) {
        return run(phase, spec, tree::run);
    }

    /// As [#run], when no other follows.
    Captured runLast(Phase phase, CommandSpec spec) {
        return run(phase, spec, tree::runLast);
    }

    /// Runs `spec` for somebody who sits before it: it has all the time it wants.
    void attend(Phase phase, CommandSpec spec) {
        run(phase, spec, (command, time, cancellation) -> tree.run(command, TimeLimits.NONE, cancellation));
    }

    /// One of the tree's ways to run a command.
    private interface Way {
        Outcome run(Command command, TimeLimits time, Cancellation cancellation);
    }

    private Captured run(Phase phase, CommandSpec spec, Way way) {
        Command command =
                new Command(spec.argv().stream().map(Bytes::utf8).toList(), environment, request.application());
        Outcome outcome = phases.time(
                phase,
                () -> way.run(
                        command,
                        request.time()
                                .forCommand(request.plugin().settings().limits().timeout()),
                        request.cancellation()));
        Optional<Fault> fault = runner.faults(phases, phase, limits, fence).of(command, outcome);
        if (fault.isPresent()) {
            throw fault.get();
        }
        return outcome.output();
    }

    /// Ends what the commands left running.
    @Override
    public void close() {
        tree.close();
    }

    static CommandLimits limits(RemoraSettings.Limits limits, long outputBytes) {
        return CommandLimits.stated(
                limits.output(),
                outputBytes,
                limits.processes(),
                limits.memory(),
                limits.openFiles(),
                limits.fileSize(),
                limits.cpu(),
                limits.nice());
    }
}

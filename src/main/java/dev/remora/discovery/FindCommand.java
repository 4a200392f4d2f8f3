package dev.remora.discovery;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.RemoraSettings;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.Command;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandLimits;
import dev.remora.process.CommandLine;
import dev.remora.process.CommandRunner;
import dev.remora.process.Outcome;
import dev.remora.process.ProcessTree;
import dev.remora.sandbox.Fence;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Asks by running a command in the application's folder: it wants the folder when it exits with 0 and prints more
/// than one line break. What it prints on standard error does not count.
final class FindCommand {
    private final PluginDefinition plugin;
    private final CommandRunner runner;
    private final CommandEnvironment own;
    private final long outputBytes;

    FindCommand(PluginDefinition plugin, CommandRunner runner, CommandEnvironment own, long outputBytes) {
        this.plugin = plugin;
        this.runner = runner;
        this.own = own;
        this.outputBytes = outputBytes;
    }

    Verdict ask(DiscoverRule.FindCommand rule, FolderQuestion question, Phases phases) {
        List<Bytes> argv = rule.command().argv().stream().map(Bytes::utf8).toList();
        RemoraSettings settings = plugin.settings();
        List<EnvironmentVariable> variables = new ArrayList<>(question.environment());
        variables.addAll(question.confinement().variables());
        List<Bytes> environment = own.with(
                variables,
                name -> settings.environment()
                        .map(filter -> filter.allows(name))
                        .orElse(true));
        var command = new Command(argv, environment, question.application().path());
        Outcome outcome;
        CommandLimits limits = limits(settings.limits());
        Fence fence = question.confinement().fence();
        try (ProcessTree tree = runner.open(plugin.registeredName(), limits, fence)) {
            outcome = phases.time(
                    Phase.DISCOVER,
                    () -> tree.runLast(
                            command,
                            question.time().forCommand(settings.limits().timeout()),
                            question.cancellation()));
        }
        Optional<Fault> fault =
                runner.faults(phases, Phase.DISCOVER, limits, fence).of(command, outcome);
        if (fault.isPresent()) {
            throw failed(fault.get());
        }
        String asked = rule.key() + " `" + CommandLine.rendered(argv) + "`";
        return saysYes(outcome.output().stdout())
                ? new Verdict.Yes(asked + " printed something")
                : new Verdict.No(asked + " printed nothing", Optional.empty());
    }

    /// A command that failed is a fault of discovery; time that ran out, or a program that is missing, stays what it
    /// is.
    private static Fault failed(Fault fault) {
        Fault known = fault.code() == FaultCode.COMMAND_FAILED
                ? new Fault(FaultCode.DISCOVERY_FAILED, Fault.words(fault), fault)
                : fault;
        return known.in("error running find command: ");
    }

    private static boolean saysYes(byte[] stdout) {
        int length = stdout.length > 0 && stdout[stdout.length - 1] == '\n' ? stdout.length - 1 : stdout.length;
        return length > 0;
    }

    private CommandLimits limits(RemoraSettings.Limits limits) {
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

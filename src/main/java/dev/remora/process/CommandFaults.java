package dev.remora.process;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Signal;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.Refusals;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.util.Map;
import java.util.Optional;

/// How a command that did not succeed is told to people: Argo CD's words first where it has any, since scripts look
/// for them, then what it leaves out: which limit fired, where the time went, what to raise.
public final class CommandFaults {
    private static final int SIGSYS = 31;
    private static final Map<Integer, String> GO_SIGNALS = Map.ofEntries(
            Map.entry(1, "hangup"),
            Map.entry(2, "interrupt"),
            Map.entry(3, "quit"),
            Map.entry(4, "illegal instruction"),
            Map.entry(5, "trace/breakpoint trap"),
            Map.entry(6, "aborted"),
            Map.entry(7, "bus error"),
            Map.entry(8, "floating point exception"),
            Map.entry(9, "killed"),
            Map.entry(10, "user defined signal 1"),
            Map.entry(11, "segmentation fault"),
            Map.entry(12, "user defined signal 2"),
            Map.entry(13, "broken pipe"),
            Map.entry(14, "alarm clock"),
            Map.entry(15, "terminated"),
            Map.entry(24, "CPU time limit exceeded"),
            Map.entry(25, "file size limit exceeded"),
            Map.entry(SIGSYS, "bad system call"));

    private final Phases phases;
    private final Phase phase;
    private final boolean nameDeadlines;
    private final Optional<CommandLimits> limits;
    private final Fence fence;

    /// @param phase what the command was run for
    public CommandFaults(Phases phases, Phase phase) {
        this(phases, phase, true, Optional.empty(), Fence.OPEN);
    }

    CommandFaults(Phases phases, Phase phase, boolean nameDeadlines, Optional<CommandLimits> limits, Fence fence) {
        this.phases = phases;
        this.phase = phase;
        this.nameDeadlines = nameDeadlines;
        this.limits = limits;
        this.fence = fence;
    }

    /// The fault, or nothing when the command exited with 0.
    public Optional<Fault> of(Command command, Outcome outcome) {
        String line = "`" + CommandLine.rendered(command.argv()) + "` failed ";
        return switch (outcome) {
            case Outcome.Exited exited ->
                exited.status() == 0
                        ? Optional.empty()
                        : fault(
                                FaultCode.COMMAND_FAILED,
                                line + "exit status " + exited.status() + stderr(exited.output()) + behind(exited));
            case Outcome.Signalled signalled -> Optional.of(signalled(line, signalled));
            case Outcome.TimedOut timedOut -> Optional.of(timedOut(line, timedOut));
            case Outcome.Cancelled cancelled ->
                fault(
                        FaultCode.CALL_CANCELLED,
                        "context canceled: " + cancelled.reason() + " during " + spent() + stderr(cancelled.output()));
            case Outcome.OutputTooLarge large ->
                fault(
                        FaultCode.COMMAND_OUTPUT_LIMIT,
                        line + "because it printed more than " + large.limit()
                                + " bytes; raise remora.limits.output, and ARGOCD_GRPC_MAX_SIZE_MB on both sides"
                                + stderr(large.output()));
            case Outcome.TooManyProcesses many ->
                fault(
                        FaultCode.COMMAND_PROCESS_LIMIT,
                        line + "because it started more than " + many.limit()
                                + " processes; all were stopped; raise remora.limits.processes"
                                + stderr(many.output()));
            case Outcome.NotStarted notStarted ->
                fault(
                        notStarted.cause().equals("Command is empty")
                                ? FaultCode.COMMAND_EMPTY
                                : FaultCode.COMMAND_START,
                        notStarted.text() + refusal(notStarted.cause()));
        };
    }

    private static Optional<Fault> fault(FaultCode code, String message) {
        return Optional.of(new Fault(code, message));
    }

    /// What a command that ended by itself likely met: a limit, or its fence.
    private String behind(Outcome.Exited exited) {
        return limits.flatMap(each -> LimitSigns.of(each, exited))
                .map(sign -> "\n" + sign)
                .orElseGet(() -> refusal(exited.output().stderr()));
    }

    private String refusal(String said) {
        return Refusals.explain(fence, said).map(likely -> "\n" + likely).orElse("");
    }

    private static Fault signalled(String line, Outcome.Signalled outcome) {
        String text = line + signal(outcome.signal()) + (outcome.coreDumped() ? " (core dumped)" : "");
        if (outcome.limit().isPresent()) {
            return new Fault(
                    FaultCode.COMMAND_TIMEOUT,
                    text + "; remora." + outcome.limit().get() + " fired" + stderr(outcome.output()));
        }
        if (outcome.outOfMemory()) {
            return new Fault(
                    FaultCode.COMMAND_OUT_OF_MEMORY,
                    text + "; out of memory: the container's memory limit was reached" + stderr(outcome.output()));
        }
        return new Fault(
                FaultCode.COMMAND_KILLED,
                text
                        + (outcome.signal() == SIGSYS
                                ? "; the sandbox runs no programs of another architecture, such as 32-bit ones"
                                : "; the signal came from outside, not from a time limit")
                        + stderr(outcome.output()));
    }

    private Fault timedOut(String line, Outcome.TimedOut outcome) {
        TimeLimit limit = outcome.limit();
        boolean callers = limit.name().startsWith("the caller's");
        if (callers && outcome.started() && !nameDeadlines) {
            return new Fault(FaultCode.COMMAND_KILLED, line + signal(Signal.SIGKILL) + stderr(outcome.output()));
        }
        FaultCode code = callers ? FaultCode.CALL_DEADLINE : FaultCode.COMMAND_TIMEOUT;
        String fired = callers
                ? "the caller's " + Phases.seconds(limit.given()) + " ran out"
                : limit.name() + " of " + Phases.seconds(limit.given()) + " ran out";
        if (!outcome.started()) {
            return new Fault(
                    code,
                    "context deadline exceeded: " + fired + " before " + phase.word() + " could start (" + spent()
                            + "); raise " + limit.setting());
        }
        String held = outcome.heldOpen()
                .map(who -> "; the command itself had ended, but " + who + " kept its output open")
                .orElse("");
        return new Fault(
                code,
                fired + " in " + spent() + held + "; everything it started was stopped; raise " + limit.setting()
                        + stderr(outcome.output()));
    }

    /// Go's words for an end by a signal.
    static String signal(int number) {
        return "signal: " + GO_SIGNALS.getOrDefault(number, "signal " + number);
    }

    private String spent() {
        return phase.word() + " (" + phases.upTo(phase) + ")";
    }

    private static String stderr(Captured output) {
        String text = output.stderr().strip();
        return text.isEmpty() ? "" : ": " + text;
    }
}

package dev.remora.process;

import dev.remora.sandbox.Fence;
import dev.remora.sandbox.KernelSupport;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Starts the commands of all renders; one per server or per run of a command-line tool.
public final class CommandRunner implements AutoCloseable {
    private final ProcessHost host;
    private final ProcessSettings settings;
    private final UnaryOperator<Fence> fences;

    private CommandRunner(ProcessHost host, ProcessSettings settings, UnaryOperator<Fence> fences) {
        this.host = host;
        this.settings = settings;
        this.fences = fences;
    }

    /// Chooses what this system can do; [#contained] and [#describe] tell what was chosen.
    public static CommandRunner open(ProcessSettings settings) {
        return open(settings, ControlGroups.none());
    }

    /// As [#open], for a server, which may use the control group that it was given.
    public static CommandRunner open(ProcessSettings settings, ControlGroups groups) {
        return new CommandRunner(
                settings.containment() == ProcessSettings.Containment.NONE
                                || LinuxHost.unsupported().isPresent()
                        ? new PlainHost(settings)
                        : new LinuxHost(settings, groups),
                settings,
                UnaryOperator.identity());
    }

    /// This runner, with another fence in the place of each that a render is opened with. Only this one is closed.
    public CommandRunner fencedBy(UnaryOperator<Fence> other) {
        return new CommandRunner(host, settings, other);
    }

    /// A tree for commands of our own, without a fence.
    ///
    /// @param marker names the render in thread names
    public ProcessTree open(String marker, CommandLimits limits) {
        return open(marker, limits, Fence.OPEN);
    }

    /// A tree for one render, whose commands may not do what `fence` forbids. Where the system has no fences
    /// ([#kernel]) they run without.
    public ProcessTree open(String marker, CommandLimits limits, Fence fence) {
        ProcessTree tree = host.open(marker, limits, fences.apply(fence));
        return settings.commandLog().isPresent()
                ? new LoggedTree(tree, settings.commandLog().get())
                : tree;
    }

    /// What the kernel can forbid commands, tried when this was opened.
    public KernelSupport kernel() {
        return host.kernel();
    }

    /// How what its trees answer is told.
    ///
    /// @param phase what the commands are run for
    /// @param limits that they had
    /// @param fence that they ran behind
    public CommandFaults faults(Phases phases, Phase phase, CommandLimits limits, Fence fence) {
        return new CommandFaults(phases, phase, settings.nameDeadlines(), Optional.of(limits), fence);
    }

    /// Starts a process that stays, in a domain of its own.
    ///
    /// @param marker names it in thread names
    /// @param whenGone told once, when it has ended for whatever reason; it must be short
    /// @return nothing where what such a process leaves behind could not be ended
    public Optional<StandingProcess> stand(
            String marker, CommandLimits limits, Command command, Consumer<Answer.Gone> whenGone) {
        return stand(marker, limits, Fence.OPEN, command, whenGone);
    }

    /// As [#stand], behind `fence`.
    public Optional<StandingProcess> stand(
            String marker, CommandLimits limits, Fence fence, Command command, Consumer<Answer.Gone> whenGone) {
        return host.stand(marker, limits, fence, command, whenGone);
    }

    /// Whether nothing that a render starts can outlive it. False where the system is not Linux with glibc 2.34.
    public boolean contained() {
        return host.contained();
    }

    /// How many renders ended while something that they had started was still alive, because the kernel itself could
    /// not end it.
    public long unended() {
        return host.unended();
    }

    /// Whether no process can hide from the end of its render.
    public boolean seesEverything() {
        return host.seesEverything();
    }

    /// For the log at start: how processes are contained, and who reaps.
    public String describe() {
        return host.describe();
    }

    /// Ends what renders left to end in the background. Trees must be closed before.
    @Override
    public void close() {
        host.close();
    }
}

package dev.remora.process;

import dev.remora.posix.Libc;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.KernelSupport;
import java.util.Optional;
import java.util.function.Consumer;

/// Renders elsewhere, for the commands that work on a folder. Processes are not contained; the server refuses this.
final class PlainHost implements ProcessHost {
    private final ProcessSettings settings;

    PlainHost(ProcessSettings settings) {
        this.settings = settings;
    }

    @Override
    public ProcessTree open(String marker, CommandLimits limits, Fence fence) {
        return new PlainTree(settings, limits);
    }

    @Override
    public Optional<StandingProcess> stand(
            String marker, CommandLimits limits, Fence fence, Command command, Consumer<Answer.Gone> whenGone) {
        return Optional.empty();
    }

    @Override
    public boolean contained() {
        return false;
    }

    @Override
    public long unended() {
        return 0;
    }

    @Override
    public boolean seesEverything() {
        return false;
    }

    @Override
    public String describe() {
        return "processes: no containment, what a command starts in a session of its own may outlive it ("
                + Libc.unsupported().orElse("by request") + ")";
    }

    /// A fence needs a thread of Linux.
    @Override
    public KernelSupport kernel() {
        return KernelSupport.nothing(Libc.unsupported().orElse("by request"));
    }

    @Override
    public void close() {}
}

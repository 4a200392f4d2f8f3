package dev.remora.process;

import dev.remora.posix.Libc;
import java.util.Optional;
import java.util.function.Consumer;

/// Renders elsewhere, for the commands that work on a folder. Processes are not contained; the server refuses this.
final class PlainHost implements ProcessHost {
    private final ProcessSettings settings;

    PlainHost(ProcessSettings settings) {
        this.settings = settings;
    }

    @Override
    public ProcessTree open(String marker, CommandLimits limits) {
        return new PlainTree(settings, limits);
    }

    @Override
    public Optional<StandingProcess> stand(
            String marker, CommandLimits limits, Command command, Consumer<Answer.Gone> whenGone) {
        return Optional.empty();
    }

    @Override
    public boolean contained() {
        return false;
    }

    @Override
    public String describe() {
        return "processes: no containment, what a command starts in a session of its own may outlive it ("
                + Libc.unsupported().orElse("by request") + ")";
    }

    @Override
    public void close() {}
}

package dev.remora.process;

import java.util.Optional;
/// A system's way to run renders.
import java.util.function.Consumer;

sealed interface ProcessHost extends AutoCloseable permits LinuxHost, PlainHost {
    ProcessTree open(String marker, CommandLimits limits);

    Optional<StandingProcess> stand(
            String marker, CommandLimits limits, Command command, Consumer<Answer.Gone> whenGone);

    boolean contained();

    String describe();

    @Override
    void close();
}

package dev.remora.process;

import dev.remora.sandbox.Fence;
import dev.remora.sandbox.KernelSupport;
import java.util.Optional;
import java.util.function.Consumer;

/// A system's way to run renders.
sealed interface ProcessHost extends AutoCloseable permits LinuxHost, PlainHost {
    ProcessTree open(String marker, CommandLimits limits, Fence fence);

    Optional<StandingProcess> stand(
            String marker, CommandLimits limits, Fence fence, Command command, Consumer<Answer.Gone> whenGone);

    boolean contained();

    long unended();

    boolean seesEverything();

    String describe();

    KernelSupport kernel();

    @Override
    void close();
}

package dev.remora.process;

/// A system's way to run renders.
sealed interface ProcessHost extends AutoCloseable permits LinuxHost, PlainHost {
    ProcessTree open(String marker, CommandLimits limits);

    boolean contained();

    String describe();

    @Override
    void close();
}

package dev.remora.process;

import dev.remora.posix.Descriptors;

/// Wakes a thread out of `poll`, from any thread, at any time: also from one that learned of the render long ago and
/// comes late. Its number may belong to another file by then, so writing and closing exclude each other. The woken
/// thread takes no lock.
final class WakeUp {
    private final int descriptor = Descriptors.wakeUp();
    private boolean closed;

    int descriptor() {
        return descriptor;
    }

    synchronized void wake() {
        if (!closed) {
            Descriptors.wake(descriptor);
        }
    }

    synchronized void close() {
        if (!closed) {
            closed = true;
            Descriptors.close(descriptor);
        }
    }
}

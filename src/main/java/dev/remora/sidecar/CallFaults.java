package dev.remora.sidecar;

import dev.remora.fault.Fault;
import java.util.function.Supplier;

/// Puts in front of a fault which part of a call it ended, as Argo CD's messages do.
final class CallFaults {
    private CallFaults() {}

    /// As [#in], for a part that gives something.
    static <T> T giving(String context, Supplier<T> part) {
        try {
            return part.get();
        } catch (Fault fault) {
            throw fault.in(context);
        }
    }

    static void in(String context, Runnable part) {
        try {
            part.run();
        } catch (Fault fault) {
            throw fault.in(context);
        }
    }
}

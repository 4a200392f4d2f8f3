package dev.remora.sidecar;

import dev.remora.fault.Fault;

/// Puts in front of a fault which part of a call it ended, as Argo CD's messages do.
final class CallFaults {
    private CallFaults() {}

    static void in(String context, Runnable part) {
        try {
            part.run();
        } catch (Fault fault) {
            throw fault.in(context);
        }
    }
}

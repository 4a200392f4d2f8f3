package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.telemetry.Mask;
import io.grpc.Status;

/// What a failure is to the caller: the one table from faults to gRPC statuses.
///
/// The text is the whole message with the code's name behind it, in brackets. Argo CD's server knows hardly any code
/// but UNKNOWN, so everything that has no better one stays UNKNOWN.
final class FaultStatus {
    /// The text travels in a header; what is longer is cut in the middle, where it tells least.
    private static final int LONGEST_TEXT = 64 * 1024;

    private FaultStatus() {}

    static Status of(Throwable failure, Mask mask) {
        if (failure instanceof Fault fault) {
            String text = shortened(mask.apply(Fault.words(fault)));
            return statusOf(fault.code())
                    .withDescription(text + " [" + fault.code().id() + "]");
        }
        return Status.INTERNAL.withDescription(
                shortened(mask.apply(Fault.words(failure))) + " [" + FaultCode.INTERNAL.id() + "]");
    }

    private static Status statusOf(FaultCode code) {
        return switch (code) {
            case CALL_DEADLINE -> Status.DEADLINE_EXCEEDED;
            case CALL_CANCELLED -> Status.CANCELLED;
            case SERVER_STOPPING -> Status.UNAVAILABLE;
            default ->
                switch (code.kind()) {
                    case LIMIT -> Status.RESOURCE_EXHAUSTED;
                    case BUG -> Status.INTERNAL;
                    case USER, ENVIRONMENT -> Status.UNKNOWN;
                };
        };
    }

    private static String shortened(String text) {
        if (text.length() <= LONGEST_TEXT) {
            return text;
        }
        int half = LONGEST_TEXT / 2;
        return text.substring(0, half) + "\n... " + (text.length() - LONGEST_TEXT) + " characters left out ...\n"
                + text.substring(text.length() - half);
    }
}

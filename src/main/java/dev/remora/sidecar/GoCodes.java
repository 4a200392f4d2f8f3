package dev.remora.sidecar;

import dev.remora.telemetry.LogLevel;
import io.grpc.Status;

/// gRPC's codes as Go spells them in logs, and how much each matters there (docs/spec/wire.md, "Logs").
final class GoCodes {
    private GoCodes() {}

    static String name(Status status) {
        return switch (status.getCode()) {
            case OK -> "OK";
            case CANCELLED -> "Canceled";
            case UNKNOWN -> "Unknown";
            case INVALID_ARGUMENT -> "InvalidArgument";
            case DEADLINE_EXCEEDED -> "DeadlineExceeded";
            case NOT_FOUND -> "NotFound";
            case ALREADY_EXISTS -> "AlreadyExists";
            case PERMISSION_DENIED -> "PermissionDenied";
            case RESOURCE_EXHAUSTED -> "ResourceExhausted";
            case FAILED_PRECONDITION -> "FailedPrecondition";
            case ABORTED -> "Aborted";
            case OUT_OF_RANGE -> "OutOfRange";
            case UNIMPLEMENTED -> "Unimplemented";
            case INTERNAL -> "Internal";
            case UNAVAILABLE -> "Unavailable";
            case DATA_LOSS -> "DataLoss";
            case UNAUTHENTICATED -> "Unauthenticated";
        };
    }

    static LogLevel level(Status status) {
        return switch (status.getCode()) {
            case OK, NOT_FOUND, CANCELLED, ALREADY_EXISTS, INVALID_ARGUMENT, UNAUTHENTICATED -> LogLevel.INFO;
            case DEADLINE_EXCEEDED,
                    PERMISSION_DENIED,
                    RESOURCE_EXHAUSTED,
                    FAILED_PRECONDITION,
                    ABORTED,
                    OUT_OF_RANGE,
                    UNAVAILABLE -> LogLevel.WARNING;
            case UNKNOWN, UNIMPLEMENTED, INTERNAL, DATA_LOSS -> LogLevel.ERROR;
        };
    }
}

package dev.remora.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// What is traced of one call, told when it is over. Spans follow from the phases, which come one after another.
///
/// @param programs the program of each phase that runs a command
/// @param traceparent the caller's trace, in the W3C header's form
/// @param code gRPC's number, 0 for success
public record CallTrace(
        String service,
        String method,
        String plugin,
        String application,
        Map<Phase, String> programs,
        Optional<String> traceparent,
        Instant started,
        Duration took,
        Map<Phase, Duration> phases,
        int code,
        String error) {
    public CallTrace {
        programs = Map.copyOf(programs);
        phases = Map.copyOf(phases);
    }
}

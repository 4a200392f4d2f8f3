package dev.remora.telemetry;

import java.time.Duration;
import java.util.Map;

/// What is counted of one call.
///
/// @param grpcCode the status as Go spells it, such as `OK` or `DeadlineExceeded`
/// @param outcome a fault's code, or `ok`
/// @param kind a fault's kind, or empty
public record CallMeasure(
        String plugin,
        String method,
        String grpcCode,
        String outcome,
        String kind,
        String project,
        Map<Phase, Duration> phases,
        Duration took,
        long bytesIn,
        long bytesOut) {
    public CallMeasure {
        phases = Map.copyOf(phases);
    }
}

package dev.remora.telemetry;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// What is counted of one call.
///
/// @param grpcCode the status as Go spells it, such as `OK` or `DeadlineExceeded`
/// @param outcome a fault's code, or `ok`
/// @param kind a fault's kind, or empty
/// @param tree empty where nothing was unpacked
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
        long bytesOut,
        Optional<TreeMeasure> tree) {
    public CallMeasure {
        phases = Map.copyOf(phases);
    }
}

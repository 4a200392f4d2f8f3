package dev.remora.worker;

import dev.remora.telemetry.Meters;
import dev.remora.telemetry.Meters.Count;
import dev.remora.telemetry.PrometheusMeters;

/// What was counted of workers, as Prometheus would read it.
final class Figures {
    final Meters meters = new PrometheusMeters();

    long times(Count count) {
        return times(count, "");
    }

    /// @param reason empty: whatever the reason
    long times(Count count, String reason) {
        return meters.text()
                .lines()
                .filter(line -> line.startsWith(count.id() + "_total{"))
                .filter(line -> reason.isEmpty() || line.contains("reason=\"" + reason + "\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}

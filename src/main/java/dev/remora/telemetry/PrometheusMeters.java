package dev.remora.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// Figures for Prometheus. Loaded only when an HTTP address is configured.
///
/// Labels are bounded: what comes from callers (projects) is kept up to a number, then counted as `other`.
public final class PrometheusMeters implements Meters {
    private static final int MOST_PROJECTS = 200;
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(90),
        Duration.ofSeconds(180)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Set<String> projects = ConcurrentHashMap.newKeySet();

    @Override
    public void finished(CallMeasure call) {
        Tags which = Tags.of("plugin", call.plugin(), "method", call.method());
        Counter.builder("remora_calls")
                .description("Calls served, by outcome: ok, or the code of the fault")
                .tags(which.and(
                        "outcome",
                        call.outcome(),
                        "kind",
                        call.kind(),
                        "grpc_code",
                        call.grpcCode(),
                        "project",
                        project(call.project())))
                .register(registry)
                .increment();
        Timer.builder("remora_call")
                .description("Time from a call's begin to its answer")
                .tags(which)
                .serviceLevelObjectives(BUCKETS)
                .register(registry)
                .record(call.took());
        call.phases()
                .forEach((phase, time) -> Timer.builder("remora_call_phase")
                        .description("Time that a call spent in one phase")
                        .tags(which.and("phase", phase.word()))
                        .register(registry)
                        .record(time));
        call.tree().ifPresent(tree -> tree(tree, which));
        bytes("remora_received", "Bytes of archives received", which, call.bytesIn());
        bytes("remora_answered", "Bytes of answers sent", which, call.bytesOut());
    }

    private void tree(TreeMeasure tree, Tags which) {
        Counter.builder("remora_trees_lent")
                .description("Trees that calls worked in: same (the archive's own, untouched), changed (only what"
                        + " differed was written), fresh")
                .tags(which.and("tree", tree.kind()))
                .register(registry)
                .increment();
        Counter.builder("remora_tree_files_written")
                .description("Files that unpacking wrote")
                .tags(which)
                .register(registry)
                .increment((double) tree.filesWritten());
        Counter.builder("remora_tree_saved")
                .description("Bytes of files that were there already")
                .baseUnit("bytes")
                .tags(which)
                .register(registry)
                .increment((double) tree.bytesSaved());
    }

    private void bytes(String name, String help, Tags which, long bytes) {
        DistributionSummary.builder(name)
                .description(help)
                .baseUnit("bytes")
                .tags(which)
                .register(registry)
                .record((double) bytes);
    }

    private String project(String name) {
        if (projects.contains(name)) {
            return name;
        }
        if (projects.size() >= MOST_PROJECTS) {
            return "other";
        }
        projects.add(name);
        return name;
    }

    @Override
    public void reloaded(String plugin, String result) {
        Counter.builder("remora_plugin_reloads")
                .description("Changes of plugin definitions seen: taken, kept (a bad file), added, removed")
                .tags("plugin", plugin, "result", result)
                .register(registry)
                .increment();
    }

    @Override
    public void asked(String plugin, String method, String outcome, String reason) {
        Counter.builder("remora_cache_questions")
                .description("Calls that asked for an earlier answer or verdict: hit, miss or skipped, and why")
                .tags("plugin", plugin, "method", method, "outcome", outcome, "reason", reason)
                .register(registry)
                .increment();
    }

    @Override
    public void count(Count count, String plugin, String reason) {
        Tags tags = Tags.of("plugin", plugin);
        Counter.builder(count.id())
                .description(count.help())
                .tags(reason.isEmpty() ? tags : tags.and("reason", reason))
                .register(registry)
                .increment();
    }

    @Override
    public void watch(Gauge gauge, String plugin, LongSupplier reading) {
        Tags tags = plugin.isEmpty() ? Tags.empty() : Tags.of("plugin", plugin);
        io.micrometer.core.instrument.Gauge.builder(gauge.id(), reading::getAsLong)
                .description(gauge.help())
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void forget(String plugin) {
        List<Meter> gone = registry.getMeters().stream()
                .filter(meter -> meter instanceof io.micrometer.core.instrument.Gauge)
                .filter(meter -> plugin.equals(meter.getId().getTag("plugin")))
                .toList();
        gone.forEach(registry::remove);
    }

    @Override
    public String text() {
        return registry.scrape();
    }
}

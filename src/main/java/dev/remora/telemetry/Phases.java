package dev.remora.telemetry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// How long each phase of one call took. Changed by the one thread that serves the call; others may ask what it is at.
public final class Phases {
    private final EnumMap<Phase, Duration> took = new EnumMap<>(Phase.class);
    private volatile Optional<Running> running = Optional.empty();

    /// A phase that has begun and not ended.
    public record Running(Phase phase, long sinceNanos) {}

    /// Runs a part of the call and adds its time to `phase`, also when it fails.
    public <T> T time(Phase phase, Supplier<T> part) {
        long start = System.nanoTime();
        Optional<Running> outer = running;
        running = Optional.of(new Running(phase, start));
        try {
            return part.get();
        } finally {
            running = outer;
            add(phase, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /// What the call is at; for other threads.
    public Optional<Running> running() {
        return running;
    }

    public void add(Phase phase, Duration time) {
        took.merge(phase, time, Duration::plus);
    }

    public Map<Phase, Duration> took() {
        return java.util.Collections.unmodifiableMap(new EnumMap<>(took));
    }

    /// `55.1s; receive 1.9s, unpack 0.6s`: the phase at which a call ended, then those before it.
    public String upTo(Phase last) {
        List<String> before = new ArrayList<>();
        took.forEach((phase, time) -> {
            if (phase != last && phase.compareTo(last) < 0) {
                before.add(phase.word() + " " + seconds(time));
            }
        });
        String own = seconds(took.getOrDefault(last, Duration.ZERO));
        return before.isEmpty() ? own : own + "; " + String.join(", ", before);
    }

    /// `1.9s`, below a second in milliseconds: `38ms`.
    public static String seconds(Duration time) {
        long millis = time.toMillis();
        return millis < 1000 ? millis + "ms" : String.format(Locale.ROOT, "%.1fs", millis / 1000.0);
    }
}

package dev.remora.worker;

import dev.remora.telemetry.CallMeasure;
import dev.remora.telemetry.Meters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/// Remembers what was counted, as `WORKER_ENDS idle`.
final class FakeMeters implements Meters {
    final List<String> counted = new CopyOnWriteArrayList<>();

    @Override
    public void count(Count count, String plugin, String reason) {
        counted.add(reason.isEmpty() ? count.name() : count.name() + " " + reason);
    }

    long times(String what) {
        return counted.stream().filter(what::equals).count();
    }

    @Override
    public void finished(CallMeasure call) {}

    @Override
    public void reloaded(String plugin, String result) {}

    @Override
    public void watch(Gauge gauge, String plugin, IntSupplier reading) {}

    @Override
    public void forget(String plugin) {}

    @Override
    public String text() {
        return "";
    }
}

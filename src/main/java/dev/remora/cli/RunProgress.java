package dev.remora.cli;

import dev.remora.telemetry.Phases;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// How far a run over many Applications is, in one line:
///
/// ```
/// [ 37/214] payments-prod  kapitan: generate 2.1s   reused 31  failed 0   8 at work   about 12s left
/// ```
///
/// `this` guards all fields; the phases that are shown belong to whoever is at work the longest.
final class RunProgress {
    private static final int FEW_TO_GUESS = 3;

    private final int all;
    private final long start = System.nanoTime();
    private final Map<Integer, Working> working = new LinkedHashMap<>();
    private int done;
    private int reused;
    private int failed;

    RunProgress(int all) {
        this.all = all;
    }

    private record Working(String name, Phases phases) {}

    synchronized void begins(int position, String name, Phases phases) {
        working.put(position, new Working(name, phases));
    }

    synchronized void ends(RenderOutcome outcome) {
        working.remove(outcome.position());
        done++;
        switch (outcome) {
            case RenderOutcome.Rendered rendered -> reused += rendered.age().isPresent() ? 1 : 0;
            case RenderOutcome.Failed _ -> failed++;
        }
    }

    synchronized String line() {
        int width = String.valueOf(all).length();
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "[%" + width + "d/%d]", done, all));
        working.values().stream().findFirst().ifPresent(longest -> {
            text.append(' ').append(longest.name());
            longest.phases()
                    .running()
                    .ifPresent(running -> text.append(": ")
                            .append(running.phase().word())
                            .append(String.format(
                                    Locale.ROOT, " %.1fs", (System.nanoTime() - running.sinceNanos()) / 1e9)));
        });
        text.append("   reused ").append(reused).append("  failed ").append(failed);
        text.append("   ").append(working.size()).append(" at work");
        left().ifPresent(seconds -> text.append("   about ").append(seconds).append("s left"));
        return text.toString();
    }

    private Optional<Long> left() {
        if (done < FEW_TO_GUESS || done == all) {
            return Optional.empty();
        }
        double each = (System.nanoTime() - start) / 1e9 / done;
        return Optional.of(Math.round(each * (all - done)));
    }
}

package dev.remora.cli;

import dev.remora.application.ApplicationDocuments.Found;
import dev.remora.fault.Fault;
import dev.remora.render.RenderedApplication;
import dev.remora.render.RenderedSource;
import dev.remora.telemetry.Phases;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/// What became of one Application of a run.
sealed interface RenderOutcome {
    /// Among those chosen, from 0.
    int position();

    /// As Argo CD calls it.
    String name();

    Found found();

    Duration took();

    /// Where the time went.
    Phases phases();

    record Rendered(
            int position, String name, Found found, Duration took, Phases phases, RenderedApplication application)
            implements RenderOutcome {
        /// What made the manifests: each plugin once.
        List<String> by() {
            return application.sources().stream()
                    .map(RenderedSource::by)
                    .filter(by -> !by.isEmpty())
                    .distinct()
                    .toList();
        }

        int changedFiles() {
            return application.sources().stream()
                    .mapToInt(source -> source.changed().size())
                    .max()
                    .orElse(0);
        }

        /// The oldest of answers that were not made now.
        Optional<Duration> age() {
            return application.sources().stream()
                    .flatMap(source -> source.age().stream())
                    .max(Duration::compareTo);
        }

        /// `payments: 14 objects, kapitan, 3.1s (working tree, 2 files changed)`
        String summary() {
            int objects = application.objects().size();
            StringJoiner text = new StringJoiner(", ");
            text.add(objects + (objects == 1 ? " object" : " objects"));
            by().forEach(text::add);
            text.add(seconds(took()) + "s");
            return name + ": " + text + remarks();
        }

        private String remarks() {
            StringJoiner remarks = new StringJoiner(", ", " (", ")").setEmptyValue("");
            int changed = changedFiles();
            if (changed > 0) {
                remarks.add("working tree, " + changed + (changed == 1 ? " file changed" : " files changed"));
            }
            age().ifPresent(age -> remarks.add("kept answer, " + words(age) + " old"));
            return remarks.toString();
        }

        static String words(Duration age) {
            if (age.toHours() > 48) {
                return age.toDays() + "d";
            }
            return age.toMinutes() > 120
                    ? age.toHours() + "h"
                    : age.toSeconds() > 120 ? age.toMinutes() + "m" : age.toSeconds() + "s";
        }
    }

    record Failed(int position, String name, Found found, Duration took, Phases phases, Fault fault)
            implements RenderOutcome {}

    /// `fetch 0.4  init 1.2  generate 3.0  check 0.0  budget left 55.3s`
    default String timings(Optional<Duration> timeout) {
        StringJoiner text = new StringJoiner("  ");
        phases().took().forEach((phase, time) -> text.add(phase.word() + " " + seconds(time)));
        timeout.ifPresent(most -> text.add("budget left " + seconds(most.minus(took())) + "s"));
        return text.toString();
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toMillis() / 1000.0);
    }
}

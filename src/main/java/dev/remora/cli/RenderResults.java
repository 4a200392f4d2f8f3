package dev.remora.cli;

import dev.remora.manifest.ObjectPrinter;
import dev.remora.manifest.RenderedObject;
import dev.remora.render.RenderedSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Where the objects of a run go: standard output, or files.
sealed interface RenderResults {
    void add(RenderOutcome.Rendered rendered);

    void add(RenderOutcome.Failed failed);

    /// After the last one.
    void finish();

    /// Gives a place for the results of one round.
    interface Opening {
        /// See [RenderResults#open].
        RenderResults open(SettingValues settings, Console console, List<String> names, boolean complete);
    }

    /// The place that the settings name.
    ///
    /// @param names of all Applications of the run, in order
    /// @param complete whether the repository holds no others
    static RenderResults open(SettingValues settings, Console console, List<String> names, boolean complete) {
        boolean asked = settings.on(FolderSettings.MASK);
        Optional<String> folder = settings.optional(ApplicationSettings.OUTPUT_DIR);
        ShowOnly shown = new ShowOnly(settings.list(ApplicationSettings.SHOW_ONLY));
        if (folder.isPresent()) {
            Path place = console.directory().resolve(folder.get());
            OutputFolder.Layout layout = OutputFolder.Layout.valueOf(
                    settings.text(ApplicationSettings.OUTPUT_LAYOUT).toUpperCase(Locale.ROOT));
            return new Files(OutputFolder.open(place, layout, asked, names, complete), shown);
        }
        boolean mask = masks(settings, console);
        ObjectPrinter.Form form = ObjectPrinter.Form.of(settings.text(FolderSettings.RENDER_OUTPUT));
        return new Printed(console, form, mask, shown);
    }

    private static boolean masks(SettingValues settings, Console console) {
        return settings.on(FolderSettings.MASK)
                || (console.outIsTerminal() && !settings.on(FolderSettings.SHOW_SECRETS));
    }

    /// On standard output, as they come.
    final class Printed implements RenderResults {
        private final Console console;
        private final ObjectPrinter printer;
        private final ShowOnly shown;
        private boolean failed;

        Printed(Console console, ObjectPrinter.Form form, boolean mask, ShowOnly shown) {
            this.console = console;
            this.printer = new ObjectPrinter(form, mask, console.out()::print);
            this.shown = shown;
        }

        @Override
        public void add(RenderOutcome.Rendered rendered) {
            printer.print(rendered.name(), shown.of(rendered.application().objects()));
            console.out().flush();
        }

        @Override
        public void add(RenderOutcome.Failed outcome) {
            failed = true;
        }

        @Override
        public void finish() {
            printer.finish();
            console.out().flush();
            if (!failed) {
                shown.refuseUnfound();
            }
        }
    }

    /// On standard output, where a command watches: an Application as a whole when it comes, then what changes.
    final class Differences implements RenderResults {
        private final Console console;
        private final WatchDifferences known;
        private final List<String> changed;
        private final ShowOnly shown;
        private final boolean json;
        private final boolean mask;
        private boolean printed;
        private boolean failed;

        /// @param changed the files that changed before it
        Differences(Console console, SettingValues settings, WatchDifferences known, List<String> changed) {
            this.console = console;
            this.known = known;
            this.changed = changed;
            this.shown = new ShowOnly(settings.list(ApplicationSettings.SHOW_ONLY));
            this.json = settings.text(FolderSettings.RENDER_OUTPUT).equals("json");
            this.mask = masks(settings, console);
        }

        @Override
        public void add(RenderOutcome.Rendered rendered) {
            List<RenderedObject> objects = shown.of(rendered.application().objects());
            known.next(rendered.name(), objects).ifPresent(change -> {
                if (json) {
                    console.out().print(change.json(changed));
                } else if (change.before().isPresent()) {
                    console.out().print(change.text());
                } else {
                    console.out().print((printed ? "---\n" : "") + text(objects));
                }
                console.out().flush();
                printed = true;
            });
        }

        private String text(List<RenderedObject> objects) {
            return ObjectPrinter.text(ObjectPrinter.Form.YAML, objects, mask);
        }

        @Override
        public void add(RenderOutcome.Failed outcome) {
            failed = true;
            if (json) {
                console.out().print(JsonDocument.line(FaultReport.json(outcome.fault(), Optional.of(outcome.name()))));
                console.out().flush();
            }
        }

        @Override
        public void finish() {
            if (!printed && !failed) {
                console.err().println("no difference");
            }
        }
    }

    /// In a folder.
    record Files(OutputFolder folder, ShowOnly shown) implements RenderResults {
        @Override
        public void add(RenderOutcome.Rendered rendered) {
            Map<String, Duration> timings = new LinkedHashMap<>();
            rendered.phases().took().forEach((phase, time) -> timings.put(phase.word(), time));
            folder.write(
                    rendered.position(),
                    shown.of(rendered.application().objects()),
                    new OutputFolder.Told(
                            rendered.by(),
                            rendered.application().sources().stream()
                                    .map(RenderedSource::revision)
                                    .toList(),
                            rendered.changedFiles() > 0,
                            rendered.took(),
                            timings,
                            rendered.age(),
                            rendered.application().warnings()));
        }

        @Override
        public void add(RenderOutcome.Failed failed) {
            folder.failed(failed.position(), failed.fault());
        }

        @Override
        public void finish() {
            folder.finish();
        }
    }
}

package dev.remora.cli;

import dev.remora.manifest.ObjectPrinter;
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
        boolean mask = asked || (console.outIsTerminal() && !settings.on(FolderSettings.SHOW_SECRETS));
        ObjectPrinter.Form form = ObjectPrinter.Form.of(settings.text(FolderSettings.RENDER_OUTPUT));
        return new Printed(console, form, mask, shown);
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

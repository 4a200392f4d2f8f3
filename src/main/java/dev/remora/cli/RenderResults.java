package dev.remora.cli;

import dev.remora.manifest.ObjectPrinter;
import dev.remora.manifest.RenderedObject;
import dev.remora.render.RenderedSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where the objects of a run go: standard output, or files.
sealed interface RenderResults {
    void add(RenderOutcome.Rendered rendered);

    void add(RenderOutcome.Failed failed);

    /// After the last one.
    void finish();

    /// @param names of all Applications of the run, in order
    /// @param complete whether the repository holds no others
    static RenderResults open(SettingValues settings, Console console, List<String> names, boolean complete) {
        boolean asked = settings.on(FolderSettings.MASK);
        Optional<String> folder = settings.optional(ApplicationSettings.OUTPUT_DIR);
        ShowOnly shown = new ShowOnly(settings.list(ApplicationSettings.SHOW_ONLY));
        if (folder.isPresent()) {
            Path place = console.directory().resolve(folder.get());
            return new Files(OutputFolder.open(place, OutputFolder.Layout.OBJECTS, asked, names, complete), shown);
        }
        boolean mask = asked || (console.outIsTerminal() && !settings.on(FolderSettings.SHOW_SECRETS));
        ObjectPrinter.Form form = switch (settings.text(FolderSettings.RENDER_OUTPUT)) {
            case "json" -> ObjectPrinter.Form.JSON;
            case "name" -> ObjectPrinter.Form.NAME;
            case "wide" -> ObjectPrinter.Form.WIDE;
            default -> ObjectPrinter.Form.YAML;
        };
        return new Printed(console, form, mask, shown);
    }

    /// On standard output: YAML and names as they come, the other forms at the end, because each is one document.
    final class Printed implements RenderResults {
        private final Console console;
        private final ObjectPrinter.Form form;
        private final boolean mask;
        private final ShowOnly shown;
        private final List<RenderedObject> all = new ArrayList<>();
        private boolean begun;

        Printed(Console console, ObjectPrinter.Form form, boolean mask, ShowOnly shown) {
            this.console = console;
            this.form = form;
            this.mask = mask;
            this.shown = shown;
        }

        @Override
        public void add(RenderOutcome.Rendered rendered) {
            List<RenderedObject> objects = shown.of(rendered.application().objects());
            if (objects.isEmpty()) {
                return;
            }
            switch (form) {
                case YAML, NAME -> {
                    if (begun && form == ObjectPrinter.Form.YAML) {
                        console.out().println("---");
                    }
                    print(objects);
                }
                case JSON, WIDE -> all.addAll(objects);
            }
            begun = true;
        }

        @Override
        public void add(RenderOutcome.Failed failed) {
            // Standard output carries results only.
        }

        @Override
        public void finish() {
            if (form == ObjectPrinter.Form.WIDE && begun || form == ObjectPrinter.Form.JSON && begun) {
                print(all);
            }
        }

        private void print(List<RenderedObject> objects) {
            console.out().print(ObjectPrinter.text(form, objects, mask));
            console.out().flush();
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

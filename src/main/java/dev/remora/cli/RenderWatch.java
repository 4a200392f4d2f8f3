package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// `render -f … --watch`: renders, waits until an Application's file, a folder that stands for a repository or a
/// plugin's definition changes, tells what changed, and renders again. What asks the same as before gets the same
/// answer without its plugin; of the others the difference is shown. A fault is told and ends nothing.
final class RenderWatch {
    private static final int MOST_NAMED = 10;
    private static final String STANDARD_INPUT = "-";

    private final SettingValues settings;
    private final Console console;
    private final ApplicationSession session;
    private final WatchDifferences differences = new WatchDifferences();
    private List<String> changed = List.of();

    private RenderWatch(SettingValues settings, Console console, ApplicationSession session) {
        this.settings = settings;
        this.console = console;
        this.session = session;
    }

    static int run(SettingValues settings, Console console) {
        if (settings.list(ApplicationSettings.FILENAME).contains(STANDARD_INPUT)) {
            throw new Fault(FaultCode.USAGE, "--watch cannot watch standard input: name a file with -f");
        }
        if (settings.present(FolderSettings.KEEP)) {
            throw new Fault(FaultCode.USAGE, "--keep keeps the folder of one render, and --watch makes many");
        }
        return ApplicationSession.run(
                settings, console, session -> new RenderWatch(settings, console, session).watch());
    }

    private int watch() {
        try (FileChanges changes = FileChanges.open(except())) {
            boolean first = true;
            while (true) {
                int exit = round(changes);
                if (first && exit == ExitCode.USAGE) {
                    return exit;
                }
                first = false;
                SortedSet<Path> paths = changes.await(session.cancellation());
                if (paths.isEmpty()) {
                    return ExitCode.DONE;
                }
                changed = names(paths);
                tell("changed: " + shown(changed));
            }
        }
    }

    /// Watches before it reads, so that nothing is missed that changes meanwhile.
    private int round(FileChanges changes) {
        try {
            return session.round(work -> {
                int folders = changes.watch(places(work));
                int exit = new RenderApplications(settings, console, work).render(this::results);
                tell("watching " + folders + (folders == 1 ? " folder" : " folders") + "; Ctrl-C ends it");
                return exit;
            });
        } catch (Fault fault) {
            if (!session.cancellation().isCancelled()) {
                console.err().print(FaultReport.text(fault));
                tell("waiting for the next change; Ctrl-C ends it");
            }
            return ExitCode.of(fault);
        }
    }

    /// Names, tables and folders are written as a whole each time.
    private RenderResults results(SettingValues settings, Console console, List<String> names, boolean complete) {
        boolean whole = settings.optional(ApplicationSettings.OUTPUT_DIR).isPresent()
                || !List.of("yaml", "json").contains(settings.text(FolderSettings.RENDER_OUTPUT));
        return whole
                ? RenderResults.open(settings, console, names, complete)
                : new RenderResults.Differences(console, settings, differences, changed);
    }

    private List<Path> places(ApplicationWork work) {
        List<Path> places = new ArrayList<>(work.folders());
        List<String> names = settings.list(ApplicationSettings.FILENAME);
        if (names.isEmpty()) {
            places.add(ApplicationSelection.root(console.directory()));
        }
        names.forEach(name -> places.add(console.directory().resolve(beforeWildcard(name))));
        settings.list(FolderSettings.PLUGIN).stream()
                .filter(plugin -> !plugin.startsWith(PluginReference.SOCKET_PREFIX))
                .forEach(plugin -> places.add(console.directory().resolve(plugin)));
        settings.list(ApplicationSettings.PLUGINS_DIR)
                .forEach(folder -> places.add(console.directory().resolve(folder)));
        return places;
    }

    /// The folder that a pattern looks into.
    private static String beforeWildcard(String name) {
        String literal = (name + "*").replaceAll("[*?\\[{].*", "");
        return literal.equals(name) ? name : literal.substring(0, literal.lastIndexOf('/') + 1);
    }

    /// What this command writes itself.
    private List<Path> except() {
        List<Path> own = new ArrayList<>();
        settings.optional(ApplicationSettings.OUTPUT_DIR)
                .ifPresent(folder -> own.add(console.directory().resolve(folder)));
        AnswerCache.place(settings, console).ifPresent(own::add);
        RunReport.file(settings, console).ifPresent(own::add);
        own.add(ApplicationOptions.workBase(settings, console));
        return own;
    }

    private List<String> names(SortedSet<Path> paths) {
        Path here = console.directory().toAbsolutePath().normalize();
        return paths.stream()
                .map(path -> path.startsWith(here) ? here.relativize(path).toString() : path.toString())
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .toList();
    }

    private static String shown(List<String> names) {
        int more = names.size() - MOST_NAMED;
        return String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private void tell(String line) {
        if (!settings.on(CommonSettings.QUIET)) {
            console.err().println(line);
        }
    }
}

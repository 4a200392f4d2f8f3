package dev.remora.cli;

import dev.remora.application.Application;
import dev.remora.application.ApplicationDocuments.Found;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Proposal;
import dev.remora.glob.FilePathGlob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which Applications a command works on.
///
/// @param chosen in the order in which they were found
/// @param notes for people, about what was passed over
/// @param narrowed whether anything was asked for; else these are all that the repository holds
/// @param complete whether nothing was left out of what the repository holds
record ApplicationSelection(List<Found> chosen, List<String> notes, boolean narrowed, boolean complete) {
    ApplicationSelection {
        chosen = List.copyOf(chosen);
        notes = List.copyOf(notes);
    }

    static ApplicationSelection of(SettingValues settings, Console console) {
        List<String> names = settings.list(ApplicationSettings.FILENAME);
        ApplicationFiles.Collected all = names.isEmpty()
                ? ApplicationFiles.below(root(console.directory()), console)
                : ApplicationFiles.named(names, settings.on(ApplicationSettings.RECURSIVE), console);
        Filter filter = Filter.of(settings);
        List<Found> chosen = all.found().stream().filter(filter::takes).toList();
        if (chosen.isEmpty()) {
            throw nothing(all.found(), names, filter);
        }
        boolean filtered = filter.names() || filter.others();
        return new ApplicationSelection(
                chosen, all.notes(), !names.isEmpty() || filtered, names.isEmpty() && !filtered);
    }

    /// Those that could be read.
    List<Application> applications() {
        return chosen.stream()
                .flatMap(found ->
                        found instanceof Found.Valid(Application application) ? Stream.of(application) : Stream.empty())
                .toList();
    }

    /// The nearest folder upwards with a `.git`, else the folder itself.
    static Path root(Path start) {
        Path absolute = start.toAbsolutePath().normalize();
        for (Path folder = absolute; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(".git"))) {
                return folder;
            }
        }
        return absolute;
    }

    private static Fault nothing(List<Found> all, List<String> names, Filter filter) {
        if (all.isEmpty()) {
            return new Fault(
                    FaultCode.USAGE,
                    (names.isEmpty() ? "the repository" : String.join(", ", names))
                            + " holds no Application; name files with -f, or render a bare folder: remora render FOLDER"
                            + " --plugin FILE");
        }
        List<String> known = all.stream().map(Found::name).distinct().toList();
        String asked = filter.apps().isEmpty() ? "" : filter.apps().getFirst();
        return new Fault(
                FaultCode.USAGE,
                "none of the " + all.size() + " Applications is "
                        + (asked.isEmpty()
                                ? "chosen by --selector, --namespace or --project"
                                : asked + Proposal.question(asked, known)));
    }

    /// What was asked for by name and by property. A broken Application counts by its name alone.
    private record Filter(
            List<String> apps,
            LabelSelector selector,
            Optional<String> namespace,
            Optional<String> project,
            String controlPlane) {
        static Filter of(SettingValues settings) {
            Optional<String> namespace =
                    settings.optional(FolderSettings.APP_NAMESPACE).or(() -> given(settings, FolderSettings.NAMESPACE));
            return new Filter(
                    settings.list(ApplicationSettings.APP),
                    LabelSelector.parse(settings.text(ApplicationSettings.SELECTOR)),
                    namespace,
                    given(settings, FolderSettings.PROJECT),
                    settings.text(ApplicationSettings.CONTROL_PLANE));
        }

        private static Optional<String> given(SettingValues settings, Setting setting) {
            return settings.isDefault(setting) ? Optional.empty() : settings.optional(setting);
        }

        boolean names() {
            return !apps.isEmpty();
        }

        boolean others() {
            return !selector.requirements().isEmpty() || namespace.isPresent() || project.isPresent();
        }

        boolean takes(Found found) {
            return switch (found) {
                case Found.Broken broken -> named(broken.name(), "") && !others();
                case Found.Valid(Application application) ->
                    named(application.name(), application.namespace())
                            && selector.holds(application.labels())
                            && namespace
                                    .filter(name -> !name.equals(own(application)))
                                    .isEmpty()
                            && project.filter(name -> !name.equals(application.project()))
                                    .isEmpty();
            };
        }

        /// An Application without a namespace is applied to Argo CD's own.
        private String own(Application application) {
            return application.namespace().isEmpty() ? controlPlane : application.namespace();
        }

        private boolean named(String name, String namespace) {
            return apps.isEmpty()
                    || apps.stream()
                            .anyMatch(pattern -> FilePathGlob.match(pattern, name)
                                    || FilePathGlob.match(pattern, namespace + "/" + name)
                                    || pattern.equals(namespace + "_" + name));
        }
    }
}

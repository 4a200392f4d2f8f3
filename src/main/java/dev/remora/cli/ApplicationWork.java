package dev.remora.cli;

import dev.remora.application.Application;
import dev.remora.application.ApplicationDocuments.Found;
import dev.remora.application.ApplicationSource;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.Tracking;
import dev.remora.plugin.Quantity;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.Cancellation;
import dev.remora.render.DirectorySource;
import dev.remora.render.KnownPlugin;
import dev.remora.render.KubeFacts;
import dev.remora.render.PluginAnswers;
import dev.remora.render.PluginCatalog;
import dev.remora.render.PluginHost;
import dev.remora.render.RenderOptions;
import dev.remora.render.Renderer;
import dev.remora.render.SourceTrees;
import dev.remora.render.SourceTypes;
import dev.remora.telemetry.Mask;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/// What commands on Applications share: which ones, the repositories, the renderer, and what happens when somebody
/// interrupts.
final class ApplicationWork {
    /// Names that a message lists.
    private static final int MOST_NAMED = 20;

    private final SettingValues settings;
    private final Console console;
    private final ApplicationSelection selection;
    private final LocalCheckouts checkouts;
    private final SourceTrees trees;
    private final PluginHosts hosts;
    private final AnswerCache answers;
    private final PluginCatalog plugins;
    private final Cancellation cancellation;

    ApplicationWork(
            SettingValues settings,
            Console console,
            ApplicationSelection selection,
            LocalCheckouts checkouts,
            SourceTrees trees,
            PluginHosts hosts,
            AnswerCache answers,
            PluginCatalog plugins,
            Cancellation cancellation) {
        this.settings = settings;
        this.console = console;
        this.selection = selection;
        this.checkouts = checkouts;
        this.trees = trees;
        this.hosts = hosts;
        this.answers = answers;
        this.plugins = plugins;
        this.cancellation = cancellation;
    }

    /// Runs `work` once; everything it made is gone when this returns, also when somebody interrupts.
    static int run(SettingValues settings, Console console, ToIntFunction<ApplicationWork> work) {
        return ApplicationSession.run(settings, console, session -> session.round(work));
    }

    /// For a command that works on a FOLDER.
    ///
    /// @param verb what it does with Applications
    /// @throws Fault USAGE when Applications are named as well
    static void refuseFiles(SettingValues settings, String verb) {
        if (!settings.list(ApplicationSettings.FILENAME).isEmpty()) {
            throw new Fault(FaultCode.USAGE, "-f " + verb + " Applications: give it or a word, not both");
        }
    }

    ApplicationSelection selection() {
        return selection;
    }

    /// All that `--plugin` and `--plugins-dir` give.
    PluginCatalog plugins() {
        return plugins;
    }

    List<Found> chosen() {
        return selection.chosen();
    }

    /// How many Applications are rendered at once.
    static int concurrency(SettingValues settings) {
        long asked =
                settings.knows(ApplicationSettings.CONCURRENCY) ? settings.number(ApplicationSettings.CONCURRENCY) : 1;
        return asked == 0
                ? Runtime.getRuntime().availableProcessors()
                : Math.toIntExact(Math.min(asked, ApplicationSettings.MOST_AT_ONCE));
    }

    /// Folders that stand for repositories.
    Collection<Path> folders() {
        return checkouts.folders().values();
    }

    SourceTrees trees() {
        return trees;
    }

    PluginHosts hosts() {
        return hosts;
    }

    Cancellation cancellation() {
        return cancellation;
    }

    /// What people should know of an Application before its result.
    List<String> notes(Application application) {
        return application.sources().stream()
                .flatMap(source -> checkouts.pinned(source).stream())
                .distinct()
                .toList();
    }

    RenderOptions options() {
        Duration timeout = settings.duration(FolderSettings.TIMEOUT);
        return new RenderOptions(
                kubeFacts(),
                settings.list(FolderSettings.EXCLUDE),
                controlPlane(),
                new Tracking(
                        Tracking.Method.of(settings.text(ApplicationSettings.TRACKING_METHOD)),
                        settings.text(ApplicationSettings.LABEL_KEY),
                        settings.text(ApplicationSettings.INSTALLATION_ID),
                        "",
                        ""),
                RenderOptions.Sending.valueOf(
                        settings.text(ApplicationSettings.SEND).toUpperCase(Locale.ROOT)),
                timeout.isZero() ? Optional.empty() : Optional.of(timeout));
    }

    String controlPlane() {
        return settings.text(ApplicationSettings.CONTROL_PLANE);
    }

    KubeFacts kubeFacts() {
        return ClusterFacts.of(settings, console);
    }

    /// @param keep an existing folder where the work folder of the plugin stays
    Renderer renderer(Optional<Path> keep) {
        // Whoever wants to see the plugin's folder wants the plugin to run.
        return renderer(keep, SourceTypes.Breadth.CHEAP, keep.isPresent() ? answers.looked() : answers.given());
    }

    /// As above, and asks every plugin, so that each answer can be told; no kept answer is given.
    Renderer explaining() {
        return renderer(Optional.empty(), SourceTypes.Breadth.EVERY, answers.looked());
    }

    private Renderer renderer(Optional<Path> keep, SourceTypes.Breadth breadth, PluginAnswers kept) {
        SourceTypes types = new SourceTypes(plugins, plugin -> open(plugin, Optional.empty()), breadth);
        return new Renderer(trees, options(), types::choose, plugin -> open(plugin, keep), directories(), kept);
    }

    private DirectorySource directories() {
        String size = settings.text(ApplicationSettings.DIRECTORY_BYTES);
        return new DirectorySource(Quantity.parse(size)
                .orElseThrow(() -> new Fault(
                        FaultCode.USAGE,
                        ApplicationSettings.DIRECTORY_BYTES.flag() + " " + size + " is no size, such as 10M or 1Gi")));
    }

    private PluginHost open(KnownPlugin plugin, Optional<Path> keep) {
        return switch (plugin) {
            case KnownPlugin.Definition definition -> hosts.local(definition.plugin(), keep);
            case KnownPlugin.Socket socket -> hosts.sidecar(socket.socket());
        };
    }

    /// The fault with the values of secrets hidden: of this process's variables, and of what the Application gives its
    /// plugins.
    Fault masked(Fault fault, Application application) {
        return fault.reworded(mask(application)::apply);
    }

    /// Hides the values of this process's variables, and of what the Application gives its plugins, that are named like
    /// secrets.
    Mask mask(Application application) {
        return mask(application, List.of());
    }

    /// As above, with what plugins were told.
    Mask mask(Application application, List<EnvironmentVariable> told) {
        Map<String, String> all = new LinkedHashMap<>(console.environment());
        for (ApplicationSource source : application.sources()) {
            source.plugin()
                    .ifPresent(
                            plugin -> plugin.block().env().forEach(entry -> all.put(entry.getKey(), entry.getValue())));
        }
        told.forEach(
                variable -> all.put(variable.name().toString(), variable.value().toString()));
        return Mask.ofEnvironment(all);
    }

    /// The Applications of a command that works on one after another and for people: those that were asked for, or the
    /// only one there is.
    ///
    /// @throws Fault USAGE where there are several and none was asked for
    List<Application> asked() {
        selection.notes().forEach(note -> console.err().println("note: " + note));
        if (chosen().size() > 1 && !selection.narrowed()) {
            String names = chosen().stream().limit(MOST_NAMED).map(Found::name).collect(Collectors.joining(", "));
            String more = chosen().size() > MOST_NAMED ? ", …" : "";
            throw new Fault(
                    FaultCode.USAGE,
                    chosen().size() + " Applications were found; choose with --app, -f or -l: " + names + more);
        }
        for (Found found : chosen()) {
            if (found instanceof Found.Broken broken) {
                throw broken.fault();
            }
        }
        return selection.applications();
    }
}

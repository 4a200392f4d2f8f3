package dev.remora.cli;

import dev.remora.git.CredentialFiles;
import dev.remora.git.GitOptions;
import dev.remora.git.GitRepositories;
import dev.remora.git.RecycledTrees;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandRunner;
import dev.remora.render.PluginCatalog;
import dev.remora.render.SourceTrees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/// What a command on Applications holds from its first round to its last: processes, work folders, laid-out trees, kept
/// answers, and what happens when somebody interrupts. Most commands have one round; one that watches has many, each of
/// which reads Applications, plugins and repositories anew.
///
/// For one thread. Mutable: the inputs that were read before anything was opened are for the first round.
final class ApplicationSession {
    private final SettingValues settings;
    private final Console console;
    private final CommandRunner runner;
    private final Interruption interruption;
    private final PluginHosts hosts;
    private final AnswerCache answers;
    private final RecycledTrees laidOut;
    private Optional<Inputs> first;

    /// What the command line names.
    private record Inputs(ApplicationSelection selection, PluginCatalog plugins) {
        static Inputs read(SettingValues settings, Console console) {
            return new Inputs(
                    ApplicationSelection.of(settings, console),
                    PluginCatalog.read(
                            settings.list(FolderSettings.PLUGIN),
                            settings.list(ApplicationSettings.PLUGINS_DIR),
                            console.directory()));
        }
    }

    private ApplicationSession(
            SettingValues settings,
            Console console,
            CommandRunner runner,
            Interruption interruption,
            PluginHosts hosts,
            AnswerCache answers,
            RecycledTrees laidOut,
            Inputs first) {
        this.settings = settings;
        this.console = console;
        this.runner = runner;
        this.interruption = interruption;
        this.hosts = hosts;
        this.answers = answers;
        this.laidOut = laidOut;
        this.first = Optional.of(first);
    }

    /// Runs `whole`; everything it made is gone when this returns, also when somebody interrupts.
    static int run(SettingValues settings, Console console, ToIntFunction<ApplicationSession> whole) {
        Inputs first = Inputs.read(settings, console);
        Duration longest = settings.duration(FolderSettings.EXEC_FATAL_TIMEOUT).plus(FolderWork.ENDING);
        GitOptions usual = GitOptions.ofThisUser(console.environment());
        try (Interruption interruption = Interruption.within(longest);
                CommandRunner runner = CommandRunner.open(FolderWork.processes(settings, console));
                PluginHosts hosts = PluginHosts.of(settings, runner, console);
                AnswerCache answers = AnswerCache.open(settings, hosts, console);
                RecycledTrees laidOut =
                        new RecycledTrees(usual.cache().resolveSibling("trees"), RecycledTrees.MOST_BYTES)) {
            FolderWork.tellMore(settings, runner, console);
            FolderWork.tellContainment(settings, runner, console);
            return whole.applyAsInt(
                    new ApplicationSession(settings, console, runner, interruption, hosts, answers, laidOut, first));
        }
    }

    Cancellation cancellation() {
        return interruption.cancellation();
    }

    /// Does `work` on what the Applications, plugins and repositories are now.
    int round(ToIntFunction<ApplicationWork> work) {
        Inputs inputs = first.orElseGet(() -> Inputs.read(settings, console));
        first = Optional.empty();
        LocalCheckouts checkouts = LocalCheckouts.of(settings, runner, console);
        try (GitRepositories repositories = GitRepositories.open(git(checkouts), runner)) {
            boolean current = inputs.selection().applications().stream()
                    .flatMap(application -> application.sources().stream())
                    .anyMatch(checkouts::isCurrent);
            SourceTrees trees = new SourceTrees(repositories, laidOut, source -> checkouts.revisionOf(source, current));
            return work.applyAsInt(new ApplicationWork(
                    settings,
                    console,
                    inputs.selection(),
                    checkouts,
                    trees,
                    hosts,
                    answers,
                    inputs.plugins(),
                    interruption.cancellation()));
        }
    }

    private Set<Path> outputs() {
        Setting folder = ApplicationSettings.OUTPUT_DIR;
        return settings.knows(folder)
                ? settings.optional(folder)
                        .map(console.directory()::resolve)
                        .map(Set::of)
                        .orElse(Set.of())
                : Set.of();
    }

    private GitOptions git(LocalCheckouts checkouts) {
        List<Path> credentials = settings.list(ApplicationSettings.CREDENTIALS).stream()
                .map(console.directory()::resolve)
                .toList();
        GitOptions options = GitOptions.ofThisUser(console.environment())
                .withFolders(checkouts.folders(), checkouts.current())
                .withWritten(outputs())
                .withContent(settings.on(ApplicationSettings.SUBMODULES), GitOptions.Lfs.AS_ARGOCD);
        GitOptions known = credentials.isEmpty() ? options : options.withCredentials(CredentialFiles.read(credentials));
        return settings.on(ApplicationSettings.OFFLINE) ? known.withoutServers() : known;
    }
}

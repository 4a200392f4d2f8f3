package dev.remora.cli;

import java.util.List;
import java.util.Optional;

/// Every command, in the order in which help shows them.
final class Commands {
    private static final String FOLDER_EXIT =
            "0 done, 2 wrong use, 3 the content is wrong, 4 a limit fired, 5 something"
                    + " outside is missing, 70 a fault of Remora, 130 and 143 interrupted";

    static final CommandModel SERVE = new CommandModel(
            "serve",
            "run plugins in a sidecar, in place of argocd-cmp-server",
            "Serves Argo CD's plugin protocol on Unix sockets, one for each definition, until SIGTERM. Takes the flags"
                    + " and variables of argocd-cmp-server.",
            List.of(),
            ServeSettings.all(),
            List.of(
                    "remora serve                                # definition in /home/argocd/cmp-server/config",
                    "remora serve --config-dir-path plugins.d --http-listen :8088",
                    "remora serve --check -o json                # rehearse a start in an init container or in CI"),
            "0 after SIGTERM or SIGINT, 20 could not start, 1 unknown log format; with --check 0, 3, 4, 5, 20");

    static final CommandModel RENDER = new CommandModel(
            "render",
            "print the manifests that Argo CD would get for an Application, or for a folder",
            "Takes Applications from files (-f) or from the repository and prints what Argo CD's repo-server would"
                    + " answer for them, without a cluster: same revision, source overrides, environment, plugin and"
                    + " tracking. The current checkout stands for its repository, uncommitted changes included. With a"
                    + " FOLDER instead: runs one plugin on it as the sidecar would. Nothing is ever written into a"
                    + " checkout or folder: the plugin works on a copy.",
            List.of("[FOLDER]"),
            FolderSettings.and(
                    ApplicationSettings.common(),
                    FolderSettings.RENDER_OUTPUT,
                    FolderSettings.TIMINGS,
                    FolderSettings.KEEP,
                    FolderSettings.SHOW_SECRETS,
                    FolderSettings.MASK,
                    FolderSettings.COMPARE_HOSTS,
                    FolderSettings.REPORT,
                    FolderSettings.SANDBOX,
                    ApplicationSettings.OUTPUT_DIR,
                    ApplicationSettings.OUTPUT_LAYOUT,
                    ApplicationSettings.SHOW_ONLY,
                    ApplicationSettings.CONCURRENCY,
                    ApplicationSettings.FAIL_FAST,
                    ApplicationSettings.CACHE_DIR,
                    ApplicationSettings.CACHE_DIR_SIZE,
                    ApplicationSettings.HARD_REFRESH,
                    ApplicationSettings.WATCH),
            List.of(
                    "remora render -f apps/payments.yaml --plugin plugins/kapitan.yaml",
                    "remora render --app payments --plugins-dir plugins --watch    # save a file, see what changes",
                    "remora render --app 'payments-*' --output-dir out    # of all Applications in the repository",
                    "remora render examples/plain/app --plugin examples/plain/plugin.yaml",
                    "remora render . --path apps/web --plugin plugin.yaml --plugin-env TARGET=web --timings",
                    "remora render . --plugin unix:/run/kapitan.sock -o name    # ask a running server"),
            FOLDER_EXIT + "; with --compare-hosts 1: the answers differ");

    static final CommandModel EXPLAIN = new CommandModel(
            "explain",
            "tell why an Application or a folder is rendered as it is, or what a fault's code means",
            "Renders Applications from files (-f) or from the repository and tells of each step what was decided and why:"
                    + " revision, source overrides, plugin, what was sent, environment, commands, answer, tracking. With"
                    + " a FOLDER instead: judges a plugin's discover rules on it and shows the rule, the pattern and"
                    + " the file that decided, or what came closest. With a CODE such as render.empty-output: its long"
                    + " text.",
            List.of("[FOLDER|CODE]"),
            FolderSettings.and(
                    ApplicationSettings.common(),
                    FolderSettings.EXPLAIN_OUTPUT,
                    ExplainSettings.SOURCE,
                    FolderSettings.ENV,
                    FolderSettings.LIMITS,
                    FolderSettings.READS,
                    ExplainSettings.WRITE_ANNOTATION,
                    ExplainSettings.SINCE,
                    ExplainSettings.CACHE,
                    ApplicationSettings.CACHE_DIR,
                    ApplicationSettings.CACHE_DIR_SIZE,
                    ExplainSettings.AT,
                    ExplainSettings.SHELL,
                    FolderSettings.PROPOSE_SANDBOX,
                    FolderSettings.STRICT),
            List.of(
                    "remora explain -f apps/payments.yaml --plugins-dir plugins",
                    "remora explain --app payments --reads --write-annotation --plugin plugins/kapitan.yaml",
                    "remora explain --app payments --since main    # does it render differently?",
                    "remora explain . --path apps/web --plugin plugin.yaml",
                    "remora explain . --plugin plugin.yaml --env --plugin-param replicas=3",
                    "remora explain . --path apps/web --plugin plugin.yaml --sandbox",
                    "remora explain render.empty-output"),
            FOLDER_EXIT + "; with --since 1: the result can differ");

    static final CommandModel PARAMS = new CommandModel(
            "params",
            "print, check or change the parameters of an Application, or what a plugin announces for a folder",
            "Prints the announcements as Argo CD's parameter page shows them, dynamic ones first, with the values of the"
                    + " Application (-f), and the variable that the plugin's commands see. --check compares both;"
                    + " --plugin-param changes the Application's file, comments kept: a patch, or with --write the"
                    + " file. With a FOLDER instead: one plugin's announcements for it.",
            List.of("[FOLDER]"),
            FolderSettings.and(
                    ApplicationSettings.common(),
                    FolderSettings.PARAMS_OUTPUT,
                    ExplainSettings.SOURCE,
                    ExplainSettings.CHECK,
                    ExplainSettings.WRITE,
                    FolderSettings.SANDBOX),
            List.of(
                    "remora params -f apps/payments.yaml --plugin plugins/kapitan.yaml",
                    "remora params -f apps/payments.yaml --plugin plugins/kapitan.yaml --check",
                    "remora params -f apps/payments.yaml --plugin-param 'values-files[]=prod.yaml' --write",
                    "remora params examples/dynamic/app --plugin examples/dynamic/plugin.yaml"),
            FOLDER_EXIT + "; with --check 1: findings");

    static final CommandModel COMPLETION = new CommandModel(
            "completion",
            "print a completion script for bash, zsh or fish",
            "Prints a script that completes commands, flags and their values.",
            List.of("bash|zsh|fish"),
            List.of(CommonSettings.HELP),
            List.of(
                    "source <(remora completion bash)",
                    "remora completion fish > ~/.config/fish/completions/remora.fish"),
            "0, 2 wrong use");

    static final CommandModel VERSION = new CommandModel(
            "version",
            "print the version",
            "Prints Remora's version, and the Java that runs it.",
            List.of(),
            List.of(VersionCommand.OUTPUT, CommonSettings.HELP),
            List.of(),
            "0, 2 wrong use");

    private static final List<Command> ALL = List.of(
            new Command(SERVE, (settings, words, console) -> ServeCommand.run(settings, console)),
            new Command(RENDER, RenderCommand::run),
            new Command(EXPLAIN, ExplainCommand::run),
            new Command(PARAMS, ParamsCommand::run),
            new Command(DoctorCommand.MODEL, (settings, words, console) -> DoctorCommand.run(settings, console)),
            new Command(PackageCommand.MODEL, (settings, words, console) -> PackageCommand.run(settings, console)),
            new Command(COMPLETION, (settings, words, console) -> CompletionCommand.run(words.getFirst(), console)),
            new Command(VERSION, (settings, words, console) -> VersionCommand.run(settings, console)));

    private Commands() {}

    static List<Command> all() {
        return ALL;
    }

    static List<CommandModel> models() {
        return ALL.stream().map(Command::model).toList();
    }

    static Optional<Command> named(String name) {
        return ALL.stream()
                .filter(command -> command.model().name().equals(name))
                .findFirst();
    }
}

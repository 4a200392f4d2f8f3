package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.Departure;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandRunner;
import dev.remora.process.ProcessSettings;
import dev.remora.render.PluginHost;
import dev.remora.render.RenderRequest;
import dev.remora.telemetry.Mask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// What `render`, `explain` and `params` share: the folder, the Application's options, the runner of commands, and what
/// happens when somebody interrupts.
final class FolderWork {
    /// What the end of commands may take beyond TERM's grace.
    static final Duration ENDING = Duration.ofSeconds(3);

    private final ApplicationOptions options;
    private final Console console;
    private final CommandRunner runner;
    private final Interruption interruption;
    private final PluginHosts hosts;

    private FolderWork(
            ApplicationOptions options,
            Console console,
            CommandRunner runner,
            Interruption interruption,
            PluginHosts hosts) {
        this.options = options;
        this.console = console;
        this.runner = runner;
        this.interruption = interruption;
        this.hosts = hosts;
    }

    /// Runs `work`; values of variables named like secrets are masked in a fault that it ends with.
    static int run(SettingValues settings, String folder, Console console, ToIntFunction<FolderWork> work) {
        Path root = console.directory().resolve(folder).normalize();
        if (!Files.isDirectory(root)) {
            throw new Fault(FaultCode.USAGE, folder + " is no folder");
        }
        Duration longest = settings.duration(FolderSettings.EXEC_FATAL_TIMEOUT).plus(ENDING);
        try (CommandRunner runner = CommandRunner.open(processes(settings, console));
                Interruption interruption = Interruption.within(longest);
                PluginHosts hosts = PluginHosts.of(settings, runner, console)) {
            Checkout checkout = new Checkout(root, runner, console.own());
            ApplicationOptions options = ApplicationOptions.of(settings, root, checkout, console);
            requirePath(root, options.path(), folder);
            FolderWork all = new FolderWork(options, console, runner, interruption, hosts);
            tellMore(settings, runner, console);
            tellContainment(settings, runner, console);
            try {
                return work.applyAsInt(all);
            } catch (Fault fault) {
                throw fault.reworded(all.mask()::apply);
            }
        }
    }

    /// As the repo-server does before it asks a plugin; a path outside is refused where the folder is packed.
    private static void requirePath(Path root, String path, String folder) {
        Path application = root.resolve(path).normalize();
        if (application.startsWith(root) && !Files.isDirectory(application)) {
            throw new Fault(FaultCode.USAGE, "--path " + path + " is no folder in " + folder);
        }
    }

    ApplicationOptions options() {
        return options;
    }

    CommandRunner runner() {
        return runner;
    }

    RenderRequest request() {
        return options.request(interruption.cancellation());
    }

    /// The one plugin that was named.
    PluginReference plugin() {
        PluginReference plugin = onlyPlugin(options.plugins(), console);
        if (plugin instanceof PluginReference.Definition definition && !options.quiet()) {
            PluginNotes.of(definition.plugin(), options.parameters())
                    .forEach(note -> console.err().println("warning: " + note));
        }
        return plugin;
    }

    static PluginReference onlyPlugin(List<String> plugins, Console console) {
        if (plugins.size() != 1) {
            throw new Fault(
                    FaultCode.USAGE,
                    plugins.isEmpty()
                            ? "--plugin is missing: name a plugin.yaml, or unix:SOCKET of a running plugin server"
                            : "one --plugin is enough; two are compared with render --compare-hosts");
        }
        return PluginReference.of(plugins.getFirst(), console.directory());
    }

    /// @param keep an existing folder where the work folder stays
    PluginHost host(PluginReference reference, Optional<Path> keep) {
        return hosts.host(reference, keep);
    }

    /// Every render strict, and started by `other`.
    PluginHost strictHost(PluginReference.Definition definition, CommandRunner other) {
        return hosts.strict(definition.plugin(), other);
    }

    static void tellContainment(SettingValues settings, CommandRunner runner, Console console) {
        if (!runner.contained() && !settings.on(CommonSettings.QUIET)) {
            console.err()
                    .println("note: on this system commands run without containment or sandbox: what they leave"
                            + " running lives on");
        }
    }

    /// Variables that could not be used; with `-v` also which settings were given, where, and how commands are
    /// contained.
    static void tellMore(SettingValues settings, CommandRunner runner, Console console) {
        if (settings.on(CommonSettings.QUIET)) {
            return;
        }
        settings.ignored().forEach(sentence -> console.err().println("note: " + sentence));
        if (settings.count(CommonSettings.VERBOSE) > 0) {
            settings.given().forEach(line -> console.err().println("setting " + line));
            console.err().println(runner.describe());
        }
    }

    static boolean isLinux() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
    }

    /// Hides values of this process's and the request's variables that are named like secrets.
    Mask mask() {
        Map<String, String> all = new LinkedHashMap<>(console.environment());
        options.environment()
                .variables()
                .forEach(variable ->
                        all.put(variable.name().toString(), variable.value().toString()));
        return Mask.ofEnvironment(all);
    }

    /// Orphans are not ours to reap here: we are no server, and whoever started us may watch children of his own.
    static ProcessSettings processes(SettingValues settings, Console console) {
        boolean whole = ApplicationOptions.departures(settings.list(FolderSettings.ARGOCD))
                .departs(Departure.KILL);
        ProcessSettings standard =
                ProcessSettings.standard(console.own().value("PATH").orElse(Bytes.EMPTY));
        return standard.with(whole ? ProcessSettings.Ending.WHOLE_TREE : ProcessSettings.Ending.AS_ARGOCD, false);
    }
}

package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.generation.FencePolicy;
import dev.remora.plugin.Departure;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandRunner;
import dev.remora.process.ProcessSettings;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.TransportLimits;
import dev.remora.render.LocalHost;
import dev.remora.render.LocalSettings;
import dev.remora.render.PluginHost;
import dev.remora.render.RenderRequest;
import dev.remora.render.SidecarHost;
import dev.remora.sandbox.SystemFiles;
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
    private static final Duration ENDING = Duration.ofSeconds(3);

    private final ApplicationOptions options;
    private final Console console;
    private final CommandRunner runner;
    private final Interruption interruption;
    private final FencePolicy.Level level;

    private FolderWork(
            ApplicationOptions options,
            Console console,
            CommandRunner runner,
            Interruption interruption,
            FencePolicy.Level level) {
        this.options = options;
        this.console = console;
        this.runner = runner;
        this.interruption = interruption;
        this.level = level;
    }

    /// Runs `work`; values of variables named like secrets are masked in a fault that it ends with.
    static int run(SettingValues settings, String folder, Console console, ToIntFunction<FolderWork> work) {
        Path root = console.directory().resolve(folder).normalize();
        if (!Files.isDirectory(root)) {
            throw new Fault(FaultCode.USAGE, folder + " is no folder");
        }
        Duration longest = settings.duration(FolderSettings.EXEC_FATAL_TIMEOUT).plus(ENDING);
        try (CommandRunner runner = CommandRunner.open(processes(settings, console));
                Interruption interruption = Interruption.within(longest)) {
            Checkout checkout = new Checkout(root, runner, console.own());
            ApplicationOptions options = ApplicationOptions.of(settings, root, checkout, console);
            requirePath(root, options.path(), folder);
            FolderWork all = new FolderWork(options, console, runner, interruption, level(settings));
            tellMore(settings, runner, console);
            if (!runner.contained() && !settings.on(CommonSettings.QUIET)) {
                console.err()
                        .println("note: on this system commands run without containment or sandbox: what they leave"
                                + " running lives on");
            }
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
        if (options.plugins().size() != 1) {
            throw new Fault(
                    FaultCode.USAGE,
                    options.plugins().isEmpty()
                            ? "--plugin is missing: name a plugin.yaml, or unix:SOCKET of a running plugin server"
                            : "one --plugin is enough; two are compared with render --compare-hosts");
        }
        PluginReference plugin = PluginReference.of(options.plugins().getFirst(), console.directory());
        if (plugin instanceof PluginReference.Definition definition && !options.quiet()) {
            PluginNotes.of(definition.plugin(), options.parameters())
                    .forEach(note -> console.err().println("warning: " + note));
        }
        return plugin;
    }

    /// @param keep an existing folder where the work folder stays
    PluginHost host(PluginReference reference, Optional<Path> keep) {
        return switch (reference) {
            case PluginReference.Socket socket ->
                new SidecarHost(
                        socket.socket(),
                        options.workBase(),
                        options.serverTime()
                                .map(ClientOptions.DEFAULT::withDeadline)
                                .orElse(ClientOptions.DEFAULT));
            case PluginReference.Definition definition -> local(definition, keep, level, runner);
        };
    }

    /// Every render strict, and started by `other`.
    PluginHost strictHost(PluginReference.Definition definition, CommandRunner other) {
        return local(definition, Optional.empty(), FencePolicy.Level.STRICT, other);
    }

    private LocalHost local(
            PluginReference.Definition definition,
            Optional<Path> keep,
            FencePolicy.Level fenced,
            CommandRunner starting) {
        LocalSettings settings = new LocalSettings(
                Bytes.utf8(options.workBase().toString()),
                keep.map(folder -> Bytes.utf8(folder.toString())),
                options.departures(),
                options.timeouts(),
                isLinux(),
                TransportLimits.DEFAULT_MESSAGE_BYTES,
                fences(fenced));
        return new LocalHost(definition.plugin(), settings, starting, console.own());
    }

    /// The same fences as the sidecar's.
    private FencePolicy fences(FencePolicy.Level fenced) {
        List<Bytes> closed = List.of(Bytes.utf8(options.workBase().toString()));
        FencePolicy policy = new FencePolicy(fenced, new SystemFiles(console.environment(), closed));
        return options.departures().asArgoCd(Departure.PRIVILEGES) ? policy.asArgoCd() : policy;
    }

    private static FencePolicy.Level level(SettingValues settings) {
        if (settings.on(FolderSettings.NO_SANDBOX)) {
            return FencePolicy.Level.OFF;
        }
        return settings.knows(FolderSettings.SANDBOX)
                        && settings.text(FolderSettings.SANDBOX).equals("strict")
                ? FencePolicy.Level.STRICT
                : FencePolicy.Level.BY_DEFINITION;
    }

    /// Variables that could not be used; with `-v` also which settings were given, where, and how commands are
    /// contained.
    private static void tellMore(SettingValues settings, CommandRunner runner, Console console) {
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
    private static ProcessSettings processes(SettingValues settings, Console console) {
        boolean whole = ApplicationOptions.departures(settings.list(FolderSettings.ARGOCD))
                .departs(Departure.KILL);
        ProcessSettings standard =
                ProcessSettings.standard(console.own().value("PATH").orElse(Bytes.EMPTY));
        return standard.with(whole ? ProcessSettings.Ending.WHOLE_TREE : ProcessSettings.Ending.AS_ARGOCD, false);
    }
}

package dev.remora.cli;

import dev.remora.application.BuildEnvironment;
import dev.remora.application.PluginEnvironment;
import dev.remora.application.PluginEnvironment.PluginBlock;
import dev.remora.application.PluginParameter;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.ExecTimeouts;
import dev.remora.render.RenderRequest;
import dev.remora.render.SourceFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the folder commands were told: the folder, the Application that it stands for, and the limits.
///
/// @param plugins the values of `--plugin`
/// @param folder absolute
/// @param path the application's folder below it
/// @param parameters as given, also where they are no part of what the plugin announces
/// @param serverTime for a call of a plugin server, whose own limits this program cannot set
record ApplicationOptions(
        List<String> plugins,
        Path folder,
        String path,
        String name,
        String project,
        PluginEnvironment environment,
        List<String> exclusions,
        Duration timeout,
        ExecTimeouts timeouts,
        Departures departures,
        Path workBase,
        boolean quiet,
        List<PluginParameter> parameters,
        Optional<Duration> serverTime) {
    private static final String CONTROL_PLANE = "argocd";

    ApplicationOptions {
        plugins = List.copyOf(plugins);
        exclusions = List.copyOf(exclusions);
        parameters = List.copyOf(parameters);
    }

    /// @param checkout what the folder's checkout says of itself, asked only for what was not given
    static ApplicationOptions of(SettingValues settings, Path folder, Checkout checkout, Console console) {
        Departures departures = departures(settings.list(FolderSettings.ARGOCD));
        String name = instanceName(settings, folder);
        String path = settings.text(FolderSettings.PATH);
        BuildEnvironment build = new BuildEnvironment(
                name,
                settings.text(FolderSettings.DESTINATION_NAMESPACE),
                settings.text(FolderSettings.PROJECT),
                settings.optional(FolderSettings.REVISION).orElseGet(checkout::revision),
                settings.optional(FolderSettings.REPO_URL).orElseGet(checkout::remote),
                path,
                settings.text(FolderSettings.TARGET_REVISION),
                settings.text(FolderSettings.KUBE_VERSION),
                apiVersions(settings.list(FolderSettings.API_VERSIONS)));
        List<PluginParameter> parameters = ParameterFlags.parse(settings.list(FolderSettings.PLUGIN_PARAM));
        PluginBlock block = new PluginBlock(environment(settings.list(FolderSettings.PLUGIN_ENV)), parameters);
        return new ApplicationOptions(
                settings.list(FolderSettings.PLUGIN),
                folder,
                path,
                name,
                settings.text(FolderSettings.PROJECT),
                new PluginEnvironment(build, Optional.of(block)),
                settings.list(FolderSettings.EXCLUDE),
                settings.duration(FolderSettings.TIMEOUT),
                timeouts(settings, departures),
                departures,
                workBase(settings, console),
                settings.on(CommonSettings.QUIET),
                parameters,
                serverTime(settings));
    }

    static ExecTimeouts timeouts(SettingValues settings, Departures departures) {
        return new ExecTimeouts(
                settings.duration(FolderSettings.EXEC_TIMEOUT),
                settings.duration(FolderSettings.EXEC_FATAL_TIMEOUT),
                departures.departs(Departure.EXEC_TIMEOUT));
    }

    static Path workBase(SettingValues settings, Console console) {
        return settings.optional(FolderSettings.WORKDIR)
                .map(console.directory()::resolve)
                .orElse(temporary(console));
    }

    /// A server runs its commands by its own limits; one that was asked for here bounds the whole call instead.
    static Optional<Duration> serverTime(SettingValues settings) {
        Duration time = settings.duration(FolderSettings.EXEC_TIMEOUT);
        return settings.isDefault(FolderSettings.EXEC_TIMEOUT) || time.isZero() ? Optional.empty() : Optional.of(time);
    }

    RenderRequest request(Cancellation cancellation) {
        return new RenderRequest(
                new SourceFolder(Bytes.utf8(folder.toString()), exclusions),
                name,
                Bytes.utf8(path),
                project,
                environment.variables(),
                timeout.isZero() ? Optional.empty() : Optional.of(timeout),
                cancellation);
    }

    static Departures departures(List<String> values) {
        return values.isEmpty() ? Departures.NONE_SWITCHED_BACK : Departures.parse(String.join(",", values));
    }

    static Path temporary(Console console) {
        return Path.of(console.environment().getOrDefault("TMPDIR", "/tmp")).toAbsolutePath();
    }

    /// An Application outside the control plane's namespace is known as `NAMESPACE_NAME`.
    static String instanceName(SettingValues settings, Path folder) {
        String name = settings.optional(FolderSettings.APP_NAME)
                .orElseGet(() -> folder.getFileName() == null
                        ? "app"
                        : folder.getFileName().toString());
        String namespace =
                settings.optional(FolderSettings.APP_NAMESPACE).orElse(settings.text(FolderSettings.NAMESPACE));
        return namespace.equals(CONTROL_PLANE) ? name : namespace + "_" + name;
    }

    static List<String> apiVersions(List<String> values) {
        return values.stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /// `NAME=VALUE`, cut at the first sign; a value may hold more of them, and may be empty.
    private static List<Map.Entry<String, String>> environment(List<String> values) {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        for (String value : values) {
            all.add(ParameterFlags.cut(FolderSettings.PLUGIN_ENV, value, "NAME=VALUE"));
        }
        return all;
    }
}

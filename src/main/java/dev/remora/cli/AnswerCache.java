package dev.remora.cli;

import dev.remora.cache.CacheKey;
import dev.remora.cache.SealedFolder;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Quantity;
import dev.remora.posix.Bytes;
import dev.remora.process.ToolIdentity;
import dev.remora.render.PluginAnswers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;

/// Answers of plugins that a command may give again: those of its own run, and with `--cache-dir` those of earlier
/// runs.
///
/// @param given what a render uses
/// @param looked what tells of kept answers and never gives one
record AnswerCache(Optional<SealedFolder> folder, PluginAnswers given, PluginAnswers looked) implements AutoCloseable {
    /// Opens what the settings name.
    ///
    /// @throws Fault CACHE_KEY, CACHE_FOLDER
    static AnswerCache open(SettingValues settings, PluginHosts hosts, Console console) {
        Optional<SealedFolder> folder = place(settings, console)
                .filter(place -> settings.knows(ApplicationSettings.HARD_REFRESH) || Files.isDirectory(place))
                .map(place -> SealedFolder.open(place, CacheKey.of(keyFile(console)), size(settings)));
        boolean anew =
                settings.knows(ApplicationSettings.HARD_REFRESH) && settings.on(ApplicationSettings.HARD_REFRESH);
        return new AnswerCache(
                folder,
                answers(anew ? PluginAnswers.Use.RENEW : PluginAnswers.Use.GIVE, folder, settings, hosts, console),
                answers(PluginAnswers.Use.LOOK, folder, settings, hosts, console));
    }

    /// The folder of `--cache-dir`.
    static Optional<Path> place(SettingValues settings, Console console) {
        return settings.knows(ApplicationSettings.CACHE_DIR)
                ? settings.optional(ApplicationSettings.CACHE_DIR).map(console.directory()::resolve)
                : Optional.empty();
    }

    static Path keyFile(Console console) {
        return CacheKey.place(
                console.environment().getOrDefault("XDG_CONFIG_HOME", ""),
                console.environment().getOrDefault("HOME", ""));
    }

    private static long size(SettingValues settings) {
        String size = settings.text(ApplicationSettings.CACHE_DIR_SIZE);
        return Quantity.parse(size)
                .orElseThrow(() -> new Fault(
                        FaultCode.USAGE,
                        ApplicationSettings.CACHE_DIR_SIZE.flag() + " " + size + " is no size, such as 100M or 1Gi"));
    }

    private static PluginAnswers answers(
            PluginAnswers.Use use,
            Optional<SealedFolder> folder,
            SettingValues settings,
            PluginHosts hosts,
            Console console) {
        ToolIdentity tools = new ToolIdentity(console.own().value("PATH").orElse(Bytes.EMPTY));
        return new PluginAnswers(use, folder, console.own(), tools, how(settings, hosts), InstantSource.system());
    }

    /// What decides about an answer beside the plugin and what it is asked.
    private static String how(SettingValues settings, PluginHosts hosts) {
        String departures = hosts.departures().switchedBack().stream()
                .map(Departure::row)
                .sorted()
                .collect(Collectors.joining(","));
        return String.join(
                "\n",
                VersionCommand.version(),
                departures,
                hosts.level().name(),
                "submodules " + settings.on(ApplicationSettings.SUBMODULES));
    }

    @Override
    public void close() {
        folder.ifPresent(SealedFolder::close);
    }
}

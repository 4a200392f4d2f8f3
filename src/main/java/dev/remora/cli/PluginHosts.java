package dev.remora.cli;

import dev.remora.generation.FencePolicy;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandRunner;
import dev.remora.process.ExecTimeouts;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.TransportLimits;
import dev.remora.render.LocalHost;
import dev.remora.render.LocalSettings;
import dev.remora.render.PluginHost;
import dev.remora.render.SidecarHost;
import dev.remora.render.WorkFolders;
import dev.remora.sandbox.SystemFiles;
import dev.remora.workspace.RecycleOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Makes the hosts of a command: where plugins run, and how they are held.
///
/// @param workBase where work folders and packed archives are made
/// @param serverTime for a call of a plugin server, whose own limits this program cannot set
record PluginHosts(
        Departures departures,
        ExecTimeouts timeouts,
        Path workBase,
        Optional<Duration> serverTime,
        FencePolicy.Level level,
        CommandRunner runner,
        Console console,
        WorkFolders folders)
        implements AutoCloseable {
    /// Idle work folders for each render at once: one that is used while the other is checked.
    private static final int FOR_EACH = 2;
    /// Entries of all trees; a repository with more is written anew for each render.
    private static final long MOST_INODES = 400_000;

    static PluginHosts of(SettingValues settings, CommandRunner runner, Console console) {
        Departures departures = ApplicationOptions.departures(settings.list(FolderSettings.ARGOCD));
        Path workBase = ApplicationOptions.workBase(settings, console);
        return new PluginHosts(
                departures,
                ApplicationOptions.timeouts(settings, departures),
                workBase,
                ApplicationOptions.serverTime(settings),
                level(settings),
                runner,
                console,
                new WorkFolders(Bytes.utf8(workBase.toString()), recycling(settings, departures), runner, _ -> {}));
    }

    /// As in the sidecar, trees are used again only where nothing outlives a render.
    private static RecycleOptions recycling(SettingValues settings, Departures departures) {
        if (!departures.departs(Departure.RECYCLE) || !departures.departs(Departure.KILL)) {
            return RecycleOptions.OFF;
        }
        RecycleOptions standard = RecycleOptions.DEFAULT;
        int trees = Math.max(standard.trees(), FOR_EACH * ApplicationWork.concurrency(settings));
        return new RecycleOptions(trees, standard.bytes(), MOST_INODES, standard.age());
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

    /// @param keep an existing folder where the work folder stays
    PluginHost host(PluginReference reference, Optional<Path> keep) {
        return switch (reference) {
            case PluginReference.Socket(Path socket) -> sidecar(socket);
            case PluginReference.Definition(PluginDefinition plugin) -> local(plugin, keep);
        };
    }

    SidecarHost sidecar(Path socket) {
        return new SidecarHost(
                socket,
                workBase,
                serverTime.map(ClientOptions.DEFAULT::withDeadline).orElse(ClientOptions.DEFAULT));
    }

    LocalHost local(PluginDefinition plugin, Optional<Path> keep) {
        return local(plugin, keep, level, runner);
    }

    /// Every render strict, and started by `other`.
    LocalHost strict(PluginDefinition plugin, CommandRunner other) {
        return local(plugin, Optional.empty(), FencePolicy.Level.STRICT, other);
    }

    private LocalHost local(
            PluginDefinition plugin, Optional<Path> keep, FencePolicy.Level fenced, CommandRunner starting) {
        LocalSettings settings = new LocalSettings(
                Bytes.utf8(workBase.toString()),
                keep.map(folder -> Bytes.utf8(folder.toString())),
                departures,
                timeouts,
                FolderWork.isLinux(),
                TransportLimits.DEFAULT_MESSAGE_BYTES,
                fences(fenced));
        return starting.equals(runner)
                ? new LocalHost(plugin, settings, starting, console.own(), folders)
                : new LocalHost(plugin, settings, starting, console.own());
    }

    @Override
    public void close() {
        folders.close();
    }

    /// The same fences as the sidecar's.
    private FencePolicy fences(FencePolicy.Level fenced) {
        List<Bytes> closed = List.of(Bytes.utf8(workBase.toString()));
        FencePolicy policy = new FencePolicy(fenced, new SystemFiles(console.environment(), closed));
        return departures.asArgoCd(Departure.PRIVILEGES) ? policy.asArgoCd() : policy;
    }
}

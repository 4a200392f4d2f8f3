package dev.remora.generation;

import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.RemoraSettings;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.posix.ErrnoException;
import dev.remora.process.Confinement;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.FileFence;
import dev.remora.sandbox.SystemFiles;
import dev.remora.workspace.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Which fence a definition's commands get. Without a `sandbox:` block whatever Argo CD's plugins rely on keeps
/// working; with one, also an empty one, files and sockets are fenced.
public final class FencePolicy {
    /// A definition that needs a token lists it, also when a command names it.
    private static final List<String> SECRETS = List.of("/var/run/secrets/", "/run/secrets/");

    private final Level level;
    private final SystemFiles system;
    private final Confinement otherwise;

    /// What the server or the command was told.
    public enum Level {
        /// As each definition says.
        BY_DEFINITION,
        /// Strict for all.
        STRICT,
        /// None, for debugging.
        OFF
    }

    /// The folders of one render.
    public interface Folders {
        /// Those of a lent place.
        static Folders of(Workspace workspace) {
            return new Folders() {
                @Override
                public Bytes tree() {
                    return workspace.path();
                }

                @Override
                public Bytes privateHome() {
                    return workspace.privateHome();
                }

                @Override
                public Bytes privateTmp() {
                    return workspace.privateTmp();
                }
            };
        }

        Bytes tree();

        /// Made when first asked for.
        Bytes privateHome();

        Bytes privateTmp();

        /// What may be read besides.
        default List<Bytes> readable() {
            return List.of();
        }
    }

    public FencePolicy(Level level, SystemFiles system) {
        this(level, system, Confinement.COMPATIBLE);
    }

    private FencePolicy(Level level, SystemFiles system, Confinement otherwise) {
        this.level = level;
        this.system = system;
        this.otherwise = otherwise;
    }

    /// A definition that is not strict has no fence, as in Argo CD's own server.
    public FencePolicy asArgoCd() {
        return new FencePolicy(level, system, Confinement.NONE);
    }

    public boolean isStrict(PluginDefinition plugin) {
        return level == Level.STRICT
                || (level == Level.BY_DEFINITION && plugin.settings().sandbox().isPresent());
    }

    /// The fence of one render in its own folders, and the variables that go with it.
    public Confinement confine(PluginDefinition plugin, Folders folders) {
        if (level == Level.OFF) {
            return Confinement.NONE;
        }
        if (!isStrict(plugin)) {
            return otherwise;
        }
        RemoraSettings.Sandbox block = plugin.settings().sandbox().orElse(RemoraSettings.Sandbox.STRICT);
        Bytes home = folders.privateHome();
        Bytes tmp = folders.privateTmp();
        List<Bytes> readable = new ArrayList<>(system.readable());
        readable.addAll(programs(plugin));
        readable.addAll(folders.readable());
        block.readable().stream().map(Bytes::utf8).forEach(readable::add);
        List<Bytes> writable = new ArrayList<>(List.of(folders.tree(), home, tmp));
        writable.addAll(SystemFiles.devices());
        block.writable().stream().map(Bytes::utf8).forEach(writable::add);
        return new Confinement(
                new Fence.Strict(new FileFence(readable, writable), network(block), block.unixSockets()),
                List.of(variable("HOME", home), variable("TMPDIR", tmp)));
    }

    /// The machine is asked before the first render waits for it.
    public void prepare() {
        List<Bytes> _ = system.readable();
    }

    /// What is not stated is needed: only a definition knows that its commands need no network.
    private static Fence.Network network(RemoraSettings.Sandbox block) {
        return switch (block.network().orElse(RemoraSettings.Network.ANY)) {
            case NONE -> Fence.Network.NONE;
            case ANY -> Fence.Network.ANY;
        };
    }

    private static EnvironmentVariable variable(String name, Bytes value) {
        return new EnvironmentVariable(Bytes.utf8(name), value);
    }

    /// The files that the definition itself names: its programs, and scripts that it hands to a shell. Not their
    /// folders, where other things may lie.
    private static List<Bytes> programs(PluginDefinition plugin) {
        Stream<CommandSpec> discovery = plugin.discoverRule().stream()
                .flatMap(rule ->
                        rule instanceof DiscoverRule.FindCommand find ? Stream.of(find.command()) : Stream.of());
        Stream<String> worker = plugin.settings().worker().stream().flatMap(settings -> settings.command().stream());
        Stream<String> commands = Stream.concat(
                        Stream.of(plugin.init(), plugin.generate(), plugin.dynamicParameters()), discovery)
                .flatMap(command -> command.argv().stream());
        return Stream.concat(commands, worker)
                .filter(argument -> argument.startsWith("/") && SECRETS.stream().noneMatch(argument::startsWith))
                .map(Bytes::utf8)
                .filter(FencePolicy::isFile)
                .toList();
    }

    private static boolean isFile(Bytes path) {
        try {
            return Directory.statusAt(Directory.realPathAt(path)).isRegular();
        } catch (ErrnoException e) {
            return false;
        }
    }
}

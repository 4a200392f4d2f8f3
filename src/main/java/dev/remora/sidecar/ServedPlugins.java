package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.PluginDefinitionReader;
import dev.remora.protocol.EventLoops;
import dev.remora.telemetry.Meters.Gauge;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/// The plugins that are served now, by the file of their definition, and how each file's last change went. Changed at
/// the start and by the watcher; `this` guards all fields.
final class ServedPlugins implements AutoCloseable {
    private final ServerParts parts;
    private final EventLoops loops;
    private final Executor executor;
    private final DefinitionFolder folder;
    private final Map<Path, Entry> entries = new TreeMap<>();
    private boolean stopped;

    /// One file.
    ///
    /// @param mark of the file when it was last read
    /// @param plugin served from it; empty when it never was good
    /// @param problem why the file as it is now is not the one in use
    private record Entry(String mark, Optional<ServedPlugin> plugin, Optional<String> problem) {}

    /// For people and probes.
    record State(Path file, Optional<ServedPlugin> plugin, Optional<String> problem) {
        String name() {
            return plugin.map(served -> served.definition().registeredName())
                    .orElse(file.getFileName().toString());
        }
    }

    ServedPlugins(ServerParts parts, EventLoops loops, Executor executor) {
        this.parts = parts;
        this.loops = loops;
        this.executor = executor;
        this.folder = new DefinitionFolder(
                parts.options().places().configDir(), parts.options().rules().departures());
    }

    /// Reads every definition; every broken rule of every file is in the one fault.
    static Map<Path, PluginDefinition> readAll(ServeOptions options) {
        Map<Path, PluginDefinition> definitions = new LinkedHashMap<>();
        Map<String, Path> sockets = new LinkedHashMap<>();
        List<Fault> faults = new ArrayList<>();
        for (Path file : new DefinitionFolder(
                        options.places().configDir(), options.rules().departures())
                .files()
                .keySet()) {
            try {
                PluginDefinition definition =
                        PluginDefinitionReader.read(DefinitionFolder.read(file), shown(options, file));
                Path other = sockets.putIfAbsent(definition.socketName(), file);
                if (other != null) {
                    faults.add(clash(definition, shown(options, other)));
                }
                definitions.put(file, definition);
            } catch (Fault fault) {
                faults.add(fault);
            }
        }
        if (faults.size() == 1) {
            throw faults.getFirst();
        }
        if (!faults.isEmpty()) {
            List<Problem> problems =
                    faults.stream().flatMap(fault -> fault.problems().stream()).toList();
            throw new Fault(faults.getFirst().code(), problems);
        }
        return definitions;
    }

    private static Fault clash(PluginDefinition definition, String other) {
        return new Fault(
                FaultCode.SOCKET_CLASH,
                definition.file() + " and " + other + " both define " + definition.registeredName()
                        + ", so both ask for the socket " + definition.socketName());
    }

    /// A file's name as messages say it: below the folder.
    private static String shown(ServeOptions options, Path file) {
        return options.places().configDir().relativize(file).toString();
    }

    /// Opens every plugin's socket, or none.
    synchronized void open() {
        Map<Path, String> marks = folder.files();
        Map<Path, PluginDefinition> definitions = readAll(parts.options());
        try {
            definitions.forEach((file, definition) -> entries.put(
                    file, new Entry(marks.getOrDefault(file, ""), Optional.of(serve(definition)), Optional.empty())));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private ServedPlugin serve(PluginDefinition definition) {
        note(definition);
        ServedPlugin plugin = ServedPlugin.open(parts, definition, loops, executor);
        parts.meters()
                .watch(
                        Gauge.RELOAD_OK,
                        definition.registeredName(),
                        () -> isCurrent(definition.registeredName()) ? 1 : 0);
        return plugin;
    }

    /// What is probably a mistake in a definition that holds all the same.
    private void note(PluginDefinition definition) {
        definition
                .notes()
                .forEach(note -> parts.log()
                        .warning(note.toString(), dev.remora.telemetry.LogKey.PLUGIN.is(definition.registeredName())));
    }

    private synchronized boolean isCurrent(String name) {
        return states().stream()
                .filter(state -> state.name().equals(name))
                .allMatch(state -> state.problem().isEmpty());
    }

    synchronized List<State> states() {
        List<State> states = new ArrayList<>();
        entries.forEach((file, entry) -> states.add(new State(file, entry.plugin(), entry.problem())));
        return states;
    }

    /// Takes over what changed in the folder since the last look.
    synchronized void takeChanges() {
        if (stopped) {
            return;
        }
        Map<Path, String> now = folder.files();
        new ArrayList<>(entries.keySet())
                .stream().filter(file -> !now.containsKey(file)).forEach(this::remove);
        now.forEach((file, mark) -> {
            Entry entry = entries.get(file);
            if (entry == null || !entry.mark().equals(mark)) {
                take(file, mark, Optional.ofNullable(entry));
            }
        });
        parts.workers().keepOnly(served());
    }

    private Set<String> served() {
        return states().stream()
                .flatMap(state -> state.plugin().stream())
                .map(plugin -> plugin.definition().digest())
                .collect(Collectors.toSet());
    }

    private void remove(Path file) {
        Entry entry = entries.remove(file);
        if (entry != null && entry.plugin().isPresent()) {
            end(entry.plugin().get(), "removed: " + shown(parts.options(), file) + " is gone");
        }
    }

    private void end(ServedPlugin plugin, String what) {
        String name = plugin.definition().registeredName();
        plugin.refuseNew();
        parts.meters().forget(name);
        parts.meters().reloaded(name, "removed");
        parts.log().info(name + " " + what, dev.remora.telemetry.LogKey.PLUGIN.is(name));
    }

    private void take(Path file, String mark, Optional<Entry> before) {
        Optional<ServedPlugin> served = before.flatMap(Entry::plugin);
        try {
            PluginDefinition next =
                    PluginDefinitionReader.read(DefinitionFolder.read(file), shown(parts.options(), file));
            entries.put(file, new Entry(mark, Optional.of(takeOver(file, served, next)), Optional.empty()));
        } catch (Fault fault) {
            keep(file, mark, served, fault);
        }
    }

    private ServedPlugin takeOver(Path file, Optional<ServedPlugin> served, PluginDefinition next) {
        String name = next.registeredName();
        boolean sameSocket =
                served.isPresent() && served.get().definition().socketName().equals(next.socketName());
        if (sameSocket) {
            List<String> changed = DefinitionChanges.between(served.get().definition(), next);
            note(next);
            served.get().replace(next);
            if (!changed.isEmpty()) {
                parts.meters().reloaded(name, "taken");
                parts.log()
                        .info(
                                name + " reloaded: " + String.join(", ", changed) + " changed",
                                dev.remora.telemetry.LogKey.PLUGIN.is(name));
            }
            return served.get();
        }
        refuseClash(file, next);
        ServedPlugin plugin = serve(next);
        served.ifPresent(old -> end(old, "removed: its definition is now called " + name));
        parts.meters().reloaded(name, "added");
        parts.log().info(name + " added from " + next.file(), dev.remora.telemetry.LogKey.PLUGIN.is(name));
        return plugin;
    }

    private void refuseClash(Path file, PluginDefinition next) {
        entries.forEach((other, entry) -> {
            boolean same = entry.plugin()
                    .filter(plugin -> plugin.definition().socketName().equals(next.socketName()))
                    .isPresent();
            if (same && !other.equals(file)) {
                throw clash(next, shown(parts.options(), other));
            }
        });
    }

    private void keep(Path file, String mark, Optional<ServedPlugin> served, Fault fault) {
        String name = served.map(plugin -> plugin.definition().registeredName()).orElse(shown(parts.options(), file));
        String problem = Fault.words(fault);
        entries.put(file, new Entry(mark, served, Optional.of(problem)));
        parts.meters().reloaded(name, "kept");
        parts.log().error(name + " kept: " + problem, dev.remora.telemetry.LogKey.PLUGIN.is(name));
    }

    /// Nobody new finds the way; connections that are open go on.
    synchronized void removeSockets() {
        stopped = true;
        states().forEach(state -> state.plugin().ifPresent(ServedPlugin::removeSocket));
    }

    synchronized void refuseNew() {
        stopped = true;
        states().forEach(state -> state.plugin().ifPresent(ServedPlugin::refuseNew));
    }

    /// Waits until the last answers have left; `millis` for all together.
    void awaitQuiet(long millis) throws InterruptedException {
        long until = System.nanoTime() + millis * 1_000_000;
        for (State state : states()) {
            if (state.plugin().isPresent()) {
                boolean _ = state.plugin().get().awaitQuiet(Math.max(0, (until - System.nanoTime()) / 1_000_000));
            }
        }
    }

    @Override
    public synchronized void close() {
        stopped = true;
        states().forEach(state -> state.plugin().ifPresent(ServedPlugin::close));
        entries.clear();
    }
}

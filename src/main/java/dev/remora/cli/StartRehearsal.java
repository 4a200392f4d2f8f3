package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.Departure;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.PluginDefinition;
import dev.remora.protocol.UnixSocketServer;
import dev.remora.sandbox.KernelSupport;
import dev.remora.sidecar.ServeOptions;
import dev.remora.sidecar.SidecarServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `remora serve --check`: everything that could keep a start from succeeding, all of it at once, without listening.
final class StartRehearsal {
    private static final String SCHEMA = "remora/serve-check/v1";
    /// The kernel's room for a socket's path, less the NUL at its end.
    private static final int MOST_SOCKET_PATH = 107;

    private final ServeOptions options;
    private final List<Fault> faults = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<PluginDefinition> plugins = new ArrayList<>();

    private StartRehearsal(ServeOptions options) {
        this.options = options;
    }

    static int run(ServeOptions options, SettingValues settings, Console console) {
        StartRehearsal rehearsal = new StartRehearsal(options);
        rehearsal.look();
        if (settings.text(ServeSettings.CHECK_OUTPUT).equals("json")) {
            console.out().print(JsonDocument.write(rehearsal.json()));
        } else {
            console.out().print(rehearsal.text());
        }
        return rehearsal.faults.stream().mapToInt(ExitCode::of).max().orElse(ExitCode.DONE);
    }

    private void look() {
        attempt(() -> ServeCommand.refuseOtherSystems(System.getProperty("os.name", "")));
        attempt(() -> plugins.addAll(SidecarServer.rehearse(options)));
        attempt(() -> writable(options.places().socketDir(), "socket folder"));
        attempt(() -> writable(options.places().workDir(), "work folder"));
        options.pagesAt().ifPresent(address -> attempt(() -> free(address)));
        KernelSupport kernel = KernelSupport.probe();
        attempt(() -> SidecarServer.refuseWithoutSandbox(options, kernel));
        if (!kernel.missing().isEmpty()) {
            warnings.add("sandbox: " + kernel.describe());
        }
        for (PluginDefinition plugin : plugins) {
            attempt(() -> socketFits(plugin));
            warnOfNeighbour(plugin);
            plugin.notes().forEach(note -> warnings.add(note.toString()));
            commands(plugin).forEach((key, command) -> found(plugin, key, command));
        }
    }

    private void attempt(Runnable check) {
        try {
            check.run();
        } catch (Fault fault) {
            faults.add(fault);
        }
    }

    private static void writable(Path folder, String what) {
        if (!Files.isDirectory(folder)) {
            throw new Fault(FaultCode.SERVE_START, what + " " + folder + " is no folder; make or mount it");
        }
        if (!Files.isWritable(folder)) {
            throw new Fault(FaultCode.SERVE_START, what + " " + folder + " is not writable; correct its rights");
        }
    }

    private static void free(InetSocketAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
        } catch (IOException e) {
            throw new Fault(FaultCode.SERVE_START, "cannot listen on " + address + ": " + Fault.words(e), e);
        }
    }

    private void socketFits(PluginDefinition plugin) {
        Path socket = options.places().socketDir().resolve(plugin.socketName());
        int length = socket.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        if (length > MOST_SOCKET_PATH) {
            throw new Fault(
                    FaultCode.SERVE_START,
                    socket + ": a socket's path may have " + MOST_SOCKET_PATH + " bytes, and this one has " + length);
        }
    }

    /// A check may run beside the server that it is about, so this is no fault.
    private void warnOfNeighbour(PluginDefinition plugin) {
        Path socket = options.places().socketDir().resolve(plugin.socketName());
        if (options.rules().departures().departs(Departure.TAKE_SOCKET) && UnixSocketServer.isServed(socket)) {
            warnings.add(socket + ": a running server listens there; a start is refused until it stops");
        }
    }

    private static Map<String, CommandSpec> commands(PluginDefinition plugin) {
        Map<String, CommandSpec> all = new LinkedHashMap<>();
        all.put("spec.init.command", plugin.init());
        all.put("spec.generate.command", plugin.generate());
        all.put("spec.parameters.dynamic.command", plugin.dynamicParameters());
        plugin.discoverRule().ifPresent(rule -> {
            if (rule instanceof DiscoverRule.FindCommand find) {
                all.put(rule.key(), find.command());
            }
        });
        return all;
    }

    /// A program that is not here is no fault: a definition may be checked where it will not run, and a name with a
    /// slash
    /// is relative to a folder that only a request brings.
    private void found(PluginDefinition plugin, String key, CommandSpec command) {
        if (!command.defined() || command.command().getFirst().contains("/")) {
            return;
        }
        String program = command.command().getFirst();
        String path = options.surroundings().environment().getOrDefault("PATH", "");
        boolean here = List.of(path.split(":", -1)).stream()
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        if (!here) {
            warnings.add(plugin.file() + ": " + key + ": " + program + " is not on PATH here");
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (PluginDefinition plugin : plugins) {
            text.append("ok    ")
                    .append(plugin.registeredName())
                    .append("  ")
                    .append(plugin.file())
                    .append("  → ")
                    .append(options.places().socketDir().resolve(plugin.socketName()))
                    .append('\n');
            plugin.notes().forEach(note -> text.append("note  ").append(note).append('\n'));
        }
        warnings.forEach(warning -> text.append("warn  ").append(warning).append('\n'));
        for (Fault fault : faults) {
            fault.problems()
                    .forEach(problem -> text.append("FAIL  ")
                            .append(problem)
                            .append(" [")
                            .append(fault.code().id())
                            .append("]\n"));
        }
        long count = faults.stream().mapToLong(fault -> fault.problems().size()).sum();
        return text.append(
                        count == 0
                                ? "would start\n"
                                : "would not start: " + count + (count == 1 ? " fault\n" : " faults\n"))
                .toString();
    }

    private Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", SCHEMA);
        json.put("ok", faults.isEmpty());
        json.put(
                "plugins",
                plugins.stream()
                        .map(plugin -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("name", plugin.registeredName());
                            one.put("file", plugin.file());
                            one.put(
                                    "socket",
                                    options.places()
                                            .socketDir()
                                            .resolve(plugin.socketName())
                                            .toString());
                            one.put(
                                    "notes",
                                    plugin.notes().stream()
                                            .map(Object::toString)
                                            .toList());
                            return one;
                        })
                        .toList());
        json.put("warnings", warnings);
        json.put(
                "faults",
                faults.stream()
                        .map(fault -> FaultReport.json(fault, java.util.Optional.empty()))
                        .toList());
        return json;
    }
}

package dev.remora.plugin;

import dev.remora.glob.DoubleStarPattern;
import dev.remora.glob.FilePathPattern;
import dev.remora.plugin.RemoraSettings.Cache;
import dev.remora.plugin.RemoraSettings.Inputs;
import dev.remora.plugin.RemoraSettings.Network;
import dev.remora.plugin.RemoraSettings.Sandbox;
import dev.remora.plugin.RemoraSettings.Worker;
import dev.remora.posix.Bytes;
import dev.remora.yaml.GoFields;
import dev.remora.yaml.YamlNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/// The objects of the `remora` block that say how a render runs: what it sees, what it may do, what is reused.
final class RenderBlocks {
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MOST_REQUESTS = 1_000_000_000;
    private static final int MOST_WORKERS = 256;
    private static final long LEAST_MEMORY = 1 << 20;
    private static final long MOST_MEMORY = 1L << 50;

    private final GoFields remora;
    private final BiFunction<GoFields, List<String>, BlockFields> fields;

    /// @param fields an object's fields, given those it may have
    RenderBlocks(GoFields remora, BiFunction<GoFields, List<String>, BlockFields> fields) {
        this.remora = remora;
        this.fields = fields;
    }

    Inputs inputs(BlockFields block) {
        if (!remora.has("inputs")) {
            return Inputs.ALL;
        }
        List<String> patterns = remora.texts("inputs");
        if (patterns.isEmpty() && remora.value("inputs").orElseThrow() instanceof YamlNode.Sequence) {
            block.problem("inputs", " names no file", "name what the plugin reads, or remove the key");
        }
        RemoraBlock.each(remora, "inputs", (node, text) -> {
            String path = remora.path() + ".inputs";
            if (text.isEmpty()) {
                block.problem(node, path, " has an empty pattern", "write a glob such as {app}/** or /lib/**");
            } else if (steps(text).contains("..")) {
                block.problem(node, path, " has a pattern that leaves the repository", "begin with / at its root");
            } else if (text.lastIndexOf(Inputs.APPLICATION) > 0) {
                block.problem(node, path, " has {app} behind other text", "write {app} only at the beginning");
            } else if (text.startsWith(Inputs.APPLICATION) && !below(text).matches("(/.*)?")) {
                block.problem(node, path, " has {app} with text right behind it", "write {app}/ and then the rest");
            } else if (DoubleStarPattern.parse(List.of(), Bytes.utf8(below(text)))
                    .isEmpty()) {
                String advice = "close every [ and {; a pattern has at most 62 parts and 256 alternatives";
                block.problem(node, path, " has the malformed pattern \"" + text + "\"", advice);
            }
        });
        return new Inputs(false, patterns);
    }

    private static String below(String pattern) {
        return pattern.startsWith(Inputs.APPLICATION) ? pattern.substring(Inputs.APPLICATION.length()) : pattern;
    }

    Cache cache() {
        BlockFields cache = fields.apply(remora.object("cache"), List.of("results", "maxAge", "ignore", "trace"));
        List<String> ignore = cache.go().texts("ignore");
        RemoraBlock.each(cache.go(), "ignore", (node, text) -> {
            boolean malformed = !FilePathPattern.of(Bytes.utf8(text)).wellFormed();
            if (text.isEmpty() || text.contains("=") || malformed) {
                String path = cache.go().path() + ".ignore";
                String advice = "write a variable's name, or a pattern such as ARGOCD_APP_REVISION*";
                cache.problem(node, path, " has an item that is no name or pattern of names", advice);
            }
        });
        return new Cache(
                cache.go().bool("results"),
                cache.duration("maxAge", MOMENT),
                ignore,
                cache.go().bool("trace"));
    }

    /// Also `sandbox:` with nothing behind it asks for one.
    Optional<Sandbox> sandbox() {
        if (!remora.isWritten("sandbox")) {
            return Optional.empty();
        }
        List<String> known = List.of("network", "readable", "writable", "unixSockets");
        BlockFields sandbox = fields.apply(remora.object("sandbox"), known);
        return Optional.of(new Sandbox(
                network(sandbox),
                paths(sandbox, "readable"),
                paths(sandbox, "writable"),
                sandbox.go().bool("unixSockets")));
    }

    private static Optional<Network> network(BlockFields sandbox) {
        String text = sandbox.go().text("network");
        return switch (text) {
            case "" -> Optional.empty();
            case "none" -> Optional.of(Network.NONE);
            case "any" -> Optional.of(Network.ANY);
            default -> {
                sandbox.problem("network", " is \"" + text + "\"", "write none or any");
                yield Optional.empty();
            }
        };
    }

    private static List<String> paths(BlockFields sandbox, String name) {
        RemoraBlock.each(sandbox.go(), name, (node, text) -> {
            if (!text.startsWith("/") || text.indexOf(0) >= 0 || steps(text).contains("..")) {
                String path = sandbox.go().path() + "." + name;
                sandbox.problem(node, path, " has an item that is no absolute path", "write one such as /opt/tools");
            }
        });
        return sandbox.go().texts(name);
    }

    Optional<Worker> worker() {
        if (!remora.has("worker")) {
            return Optional.empty();
        }
        List<String> known = List.of("command", "requests", "idle", "memory", "growth", "max");
        BlockFields worker = fields.apply(remora.object("worker"), known);
        List<String> command = worker.go().texts("command");
        if (command.isEmpty() || command.getFirst().isEmpty()) {
            worker.problem("command", " names no program", "write what starts the worker, as a list");
        }
        return Optional.of(new Worker(
                command,
                worker.integer("requests", 1, MOST_REQUESTS, Worker.REQUESTS),
                worker.duration("idle", SECOND).orElse(Worker.IDLE),
                worker.quantity("memory", LEAST_MEMORY, MOST_MEMORY),
                worker.quantity("growth", LEAST_MEMORY, MOST_MEMORY, Worker.GROWTH),
                worker.integer("max", 1, MOST_WORKERS, Worker.MAX)));
    }

    private static List<String> steps(String path) {
        return Arrays.asList(path.split("/", -1));
    }
}

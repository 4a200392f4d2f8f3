package dev.remora.plugin;

import com.google.re2j.PatternSyntaxException;
import dev.remora.fault.Fault;
import dev.remora.fault.Problem;
import dev.remora.glob.FilePathPattern;
import dev.remora.plugin.RemoraSettings.EnvironmentFilter;
import dev.remora.plugin.RemoraSettings.Limits;
import dev.remora.plugin.RemoraSettings.Output;
import dev.remora.plugin.RemoraSettings.Projects;
import dev.remora.posix.Bytes;
import dev.remora.yaml.GoFields;
import dev.remora.yaml.YamlNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Reads the `remora:` block. What later versions carry out is checked and then refused: ignoring a limit or a sandbox
/// that someone asked for would be worse than not starting.
final class RemoraBlock {
    private static final long MOST_BYTES = 1L << 50;
    private static final long MOST_COUNT = 1_000_000_000;
    /// An answer is one message, and a message has an int for its length.
    private static final long MOST_OUTPUT = Integer.MAX_VALUE;
    /// What Linux allows in a path.
    private static final int PATH_MAX = 4096;
    private static final int MOST_DEPTH = PATH_MAX / 2;
    private static final int MOST_RATIO = 1_000_000;
    /// The highest process number that Linux gives.
    private static final int PID_MAX = 4_194_304;
    private static final int MOST_PARALLEL = 1024;
    private static final int MOST_NICE = 19;
    private static final long LEAST_MEMORY = 1 << 20;
    private static final int LEAST_OPEN_FILES = 8;
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final String file;
    private final List<Problem> problems;

    RemoraBlock(String file, List<Problem> problems) {
        this.file = file;
        this.problems = problems;
    }

    RemoraSettings read(GoFields top) {
        if (!top.has("remora")) {
            return RemoraSettings.DEFAULTS;
        }
        BlockFields block = fields(
                top.object("remora"),
                List.of("inputs", "cache", "sandbox", "limits", "output", "environment", "projects", "refs", "worker"));
        RenderBlocks blocks = new RenderBlocks(block.go(), this::fields);
        return new RemoraSettings(
                limits(block.go().object("limits")),
                output(block.go().object("output")),
                environment(block.go()),
                projects(block),
                blocks.inputs(block),
                blocks.cache(),
                blocks.sandbox(),
                blocks.worker(),
                block.go().bool("refs"));
    }

    private Limits limits(GoFields block) {
        BlockFields limits = fields(
                block,
                List.of(
                        "timeout",
                        "parallel",
                        "output",
                        "unpacked",
                        "files",
                        "nameLength",
                        "depth",
                        "ratio",
                        "processes",
                        "memory",
                        "openFiles",
                        "fileSize",
                        "cpu",
                        "nice"));
        Limits otherwise = Limits.DEFAULTS;
        return new Limits(
                limits.duration("timeout", MOMENT),
                limits.integer("parallel", 1, MOST_PARALLEL),
                limits.quantity("output", 1, MOST_OUTPUT),
                limits.quantity("unpacked", 1, MOST_BYTES, otherwise.unpacked()),
                limits.quantity("files", 1, MOST_COUNT, otherwise.files()),
                limits.integer("nameLength", 1, PATH_MAX, otherwise.nameLength()),
                limits.integer("depth", 1, MOST_DEPTH, otherwise.depth()),
                limits.integer("ratio", 1, MOST_RATIO, otherwise.ratio()),
                limits.integer("processes", 1, PID_MAX, otherwise.processes()),
                limits.quantity("memory", LEAST_MEMORY, MOST_BYTES),
                limits.quantity("openFiles", LEAST_OPEN_FILES, MOST_COUNT),
                limits.quantity("fileSize", 1, MOST_BYTES),
                limits.duration("cpu", SECOND),
                limits.integer("nice", 0, MOST_NICE));
    }

    private Output output(GoFields block) {
        BlockFields output = fields(block, List.of("allowEmpty", "forbid", "allowCipherText"));
        List<String> forbid = block.texts("forbid");
        each(block, "forbid", (node, text) -> {
            String path = block.path() + ".forbid";
            if (text.isEmpty()) {
                output.problem(node, path, " has an empty pattern, which forbids everything", "remove it");
                return;
            }
            try {
                com.google.re2j.Pattern.compile(text);
            } catch (PatternSyntaxException e) {
                output.problem(node, path, " is no RE2 pattern: " + Fault.words(e), "see the syntax of RE2");
            }
        });
        return new Output(block.bool("allowEmpty"), forbid, block.bool("allowCipherText"));
    }

    private Optional<EnvironmentFilter> environment(GoFields remora) {
        if (!remora.has("environment")) {
            return Optional.empty();
        }
        GoFields block = remora.object("environment");
        BlockFields environment = fields(block, List.of("allow"));
        each(block, "allow", (node, text) -> {
            boolean malformed = !FilePathPattern.of(Bytes.utf8(text)).wellFormed();
            if (text.isEmpty() || text.contains("=") || malformed) {
                environment.problem(
                        node,
                        block.path() + ".allow",
                        " has an item that is no name or pattern of names",
                        "write items such as PATH or LC_*");
            }
        });
        return Optional.of(new EnvironmentFilter(block.texts("allow")));
    }

    private Projects projects(BlockFields block) {
        if (!block.go().has("projects")) {
            return Projects.ALL;
        }
        List<String> names = block.go().texts("projects");
        if (names.isEmpty() && block.go().value("projects").orElseThrow() instanceof YamlNode.Sequence) {
            block.problem("projects", " names no project", "name those that may use the plugin, or remove the key");
        }
        if (names.contains("")) {
            block.problem("projects", " has an empty name", "remove it");
        }
        return new Projects(false, names);
    }

    private BlockFields fields(GoFields fields, List<String> known) {
        return new BlockFields(fields, file, problems, known);
    }

    /// Shows the texts of a list with their places.
    static void each(GoFields block, String name, BiConsumer<YamlNode, String> visitor) {
        if (block.value(name).orElse(block.node()) instanceof YamlNode.Sequence list) {
            for (YamlNode item : list.items()) {
                if (item instanceof YamlNode.Text text) {
                    visitor.accept(item, text.value());
                } else if (item instanceof YamlNode.Null) {
                    visitor.accept(item, "");
                }
            }
        }
    }
}

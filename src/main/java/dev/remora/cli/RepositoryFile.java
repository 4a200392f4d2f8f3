package dev.remora.cli;

import dev.remora.cli.SettingValues.Given;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Proposal;
import dev.remora.fault.Where;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// `.remora.yaml` at the repository's root: settings by their key, for all commands or below a command's name.
///
/// ```yaml
/// plugin: plugins/kapitan.yaml
/// render:
///   timeout: 3m
///   plugin-env: [TARGET=web]
/// ```
///
/// The root is the nearest folder with a `.git`, from the command's FOLDER (or else the current folder) upwards;
/// without one, that folder itself. Paths in it are below the root, wherever the command starts. `serve` never reads
/// it.
final class RepositoryFile {
    static final String NAME = ".remora.yaml";

    /// Settings are a page of text; more is not a settings file.
    private static final int MAX_BYTES = 1 << 20;

    /// Settings whose values are paths.
    private static final Set<Setting> PATHS =
            Set.of(FolderSettings.PLUGIN, FolderSettings.WORKDIR, ApplicationSettings.PLUGINS_DIR);

    private final Map<String, Given> values = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Path file;
    private final Path directory;

    private RepositoryFile(Path file, Path directory) {
        this.file = file;
        this.directory = directory;
    }

    static Map<String, Given> read(CommandModel command, List<String> words, Path directory) {
        if (command.settings().stream().noneMatch(setting -> setting.places() == Setting.Places.FILE)) {
            return Map.of();
        }
        Path start = words.isEmpty() ? directory : directory.resolve(words.getFirst());
        Path file = root(Files.isDirectory(start) ? start : directory).resolve(NAME);
        if (!Files.isRegularFile(file)) {
            return Map.of();
        }
        RepositoryFile reader =
                new RepositoryFile(file, directory.toAbsolutePath().normalize());
        reader.take(command, bytes(file));
        if (!reader.problems.isEmpty()) {
            throw new Fault(FaultCode.USAGE, reader.problems);
        }
        return reader.values;
    }

    private static Path root(Path start) {
        Path absolute = start.toAbsolutePath().normalize();
        for (Path folder = absolute; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(".git"))) {
                return folder;
            }
        }
        return absolute;
    }

    private static byte[] bytes(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] all = in.readNBytes(MAX_BYTES + 1);
            if (all.length > MAX_BYTES) {
                throw new Fault(FaultCode.USAGE, Problem.at(Where.file(file.toString()), "is larger than 1 MiB"));
            }
            return all;
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "cannot read " + file + ": " + Fault.words(e), e);
        }
    }

    private void take(CommandModel command, byte[] text) {
        switch (new YamlReader(file.toString(), FaultCode.USAGE).read(text)) {
            case YamlNode.Mapping top -> {
                top.entries().forEach(entry -> topLevel(command, entry));
            }
            case YamlNode.Null nothing -> {}
            case YamlNode other -> problems.add(at(other.line(), other.column(), "is no mapping of settings"));
        }
    }

    /// A section of this command wins over the top level, wherever it stands.
    private void topLevel(CommandModel command, YamlNode.Entry entry) {
        Optional<Command> section = Commands.named(entry.key());
        if (section.isEmpty()) {
            if (known(entry, allKeys())) {
                command.settings().stream()
                        .filter(setting -> setting.key().equals(entry.key()))
                        .forEach(setting -> put(setting, entry, false));
            }
        } else if (entry.value() instanceof YamlNode.Mapping mapping) {
            mapping.entries().forEach(inner -> inSection(command, section.get().model(), inner));
        } else {
            problems.add(at(entry.line(), entry.column(), entry.key() + " is no mapping of settings"));
        }
    }

    private void inSection(CommandModel command, CommandModel section, YamlNode.Entry entry) {
        if (known(entry, keys(section)) && section.equals(command)) {
            command.settings().stream()
                    .filter(setting -> setting.key().equals(entry.key()))
                    .forEach(setting -> put(setting, entry, true));
        }
    }

    private boolean known(YamlNode.Entry entry, Set<String> keys) {
        if (keys.contains(entry.key())) {
            return true;
        }
        problems.add(at(
                entry.line(), entry.column(), "unknown setting " + entry.key() + Proposal.question(entry.key(), keys)));
        return false;
    }

    private void put(Setting setting, YamlNode.Entry entry, boolean wins) {
        List<String> texts = PATHS.contains(setting)
                ? texts(entry.value()).stream().map(this::belowRoot).toList()
                : texts(entry.value());
        Given given = new Given(texts, new Where(file.toString(), entry.line(), entry.column()) + " " + entry.key());
        if (wins) {
            values.put(setting.key(), given);
        } else {
            values.putIfAbsent(setting.key(), given);
        }
    }

    /// A path as it is written when the command starts in the root, and absolute elsewhere.
    private String belowRoot(String path) {
        Path root = file.getParent();
        if (root == null || root.equals(directory)) {
            return path;
        }
        String socket = PluginReference.SOCKET_PREFIX;
        return path.startsWith(socket)
                ? socket + root.resolve(path.substring(socket.length()))
                : root.resolve(path).toString();
    }

    private List<String> texts(YamlNode node) {
        return switch (node) {
            case YamlNode.Text text -> List.of(text.value());
            case YamlNode.Bool flag -> List.of(String.valueOf(flag.value()));
            case YamlNode.Number number -> List.of(number.source());
            case YamlNode.Null nothing -> List.of();
            case YamlNode.Sequence list ->
                list.items().stream().flatMap(item -> texts(item).stream()).toList();
            case YamlNode.Mapping map -> {
                problems.add(at(map.line(), map.column(), "a setting is a scalar or a list"));
                yield List.of();
            }
        };
    }

    private static Set<String> keys(CommandModel command) {
        Set<String> keys = new TreeSet<>();
        command.settings().stream()
                .filter(setting -> setting.places() == Setting.Places.FILE)
                .forEach(setting -> keys.add(setting.key()));
        return keys;
    }

    private static Set<String> allKeys() {
        Set<String> keys = new TreeSet<>();
        Commands.models().forEach(command -> keys.addAll(keys(command)));
        return keys;
    }

    private Problem at(int line, int column, String message) {
        return Problem.at(new Where(file.toString(), line, column), message);
    }
}

package dev.remora.render;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds plugins in files and folders, and gathers all that is wrong with them. Grows.
final class PluginFiles {
    static final String FILE = "plugin.yaml";
    private static final String UNIX = "unix:";

    /// A folder with more entries is none of plugins.
    private static final int MOST_ENTRIES = 10_000;
    /// Each may be asked about every source.
    private static final int MOST_PLUGINS = 256;

    private static final int TYPE_MASK = 0170000;
    private static final int SOCKET = 0140000;

    private final Path directory;
    private final Map<String, KnownPlugin> byName = new LinkedHashMap<>();
    /// A definition that is given twice is one.
    private final Map<String, KnownPlugin> byPlace = new LinkedHashMap<>();

    private final List<Problem> problems = new ArrayList<>();
    private Optional<FaultCode> code = Optional.empty();
    private int seen;

    PluginFiles(Path directory) {
        this.directory = directory;
    }

    /// A value of `--plugin`.
    void readSingle(String value) {
        if (value.startsWith(UNIX)) {
            String path = value.substring(UNIX.length());
            socket(directory.resolve(path.startsWith("//") ? path.substring(2) : path), value);
            return;
        }
        Path given = directory.resolve(value);
        boolean folder = Files.isDirectory(given);
        String shown = folder ? slashed(value) + FILE : value;
        gather(() -> {
            List<KnownPlugin> found = DefinitionFile.read(folder ? given.resolve(FILE) : given, shown, true);
            found.forEach(plugin -> add(plugin, place(folder ? given.resolve(FILE) : given, plugin)));
        });
    }

    /// A value of `--plugins-dir`.
    void readFolder(String value) {
        Path folder = directory.resolve(value);
        List<Path> entries;
        try (Stream<Path> list = Files.list(folder)) {
            entries = list.sorted().limit(MOST_ENTRIES + 1L).toList();
        } catch (IOException e) {
            String why = e instanceof NoSuchFileException
                    ? "no such folder"
                    : e instanceof NotDirectoryException ? "it is no folder; --plugin takes a file" : Fault.words(e);
            wrong(FaultCode.CONFIG_UNREADABLE, Problem.of("--plugins-dir " + value + ": " + why));
            return;
        }
        if (entries.size() > MOST_ENTRIES) {
            wrong(
                    FaultCode.CONFIG_UNREADABLE,
                    Problem.of("--plugins-dir " + value + " holds more than " + MOST_ENTRIES + " entries"));
            return;
        }
        int before = seen + problems.size();
        entries.forEach(entry -> gather(() -> entry(entry, slashed(value) + entry.getFileName())));
        if (before == seen + problems.size()) {
            wrong(
                    FaultCode.CONFIG_UNREADABLE,
                    Problem.of("--plugins-dir " + value + " holds no plugin: no file with a ConfigManagementPlugin, no"
                            + " folder with plugin.yaml, no socket"));
        }
    }

    /// @throws Fault with everything that is wrong
    List<KnownPlugin> plugins() {
        if (byName.size() > MOST_PLUGINS) {
            wrong(FaultCode.CONFIG_UNREADABLE, Problem.of("there are more than " + MOST_PLUGINS + " plugins"));
        }
        if (code.isPresent()) {
            throw new Fault(code.get(), problems);
        }
        return List.copyOf(byName.values());
    }

    private void entry(Path entry, String shown) throws IOException {
        String name = String.valueOf(entry.getFileName());
        if (isSocket(entry)) {
            socket(entry, shown);
        } else if (name.startsWith(".")) {
            return; // such as the folders of a ConfigMap's mount
        } else if (Files.isDirectory(entry)) {
            Path file = entry.resolve(FILE);
            if (Files.exists(file)) {
                DefinitionFile.read(file, shown + "/" + FILE, true).forEach(plugin -> add(plugin, place(file, plugin)));
            }
        } else if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            DefinitionFile.read(entry, shown, name.equals(FILE)).forEach(plugin -> add(plugin, place(entry, plugin)));
        } else if (name.endsWith(KnownPlugin.SOCKET_SUFFIX)) {
            throw new Fault(FaultCode.CONFIG_UNREADABLE, shown + " is no socket");
        }
    }

    /// Links to sockets are passed over, as Argo CD does.
    private static boolean isSocket(Path entry) throws IOException {
        int mode = (Integer) Files.getAttribute(entry, "unix:mode", java.nio.file.LinkOption.NOFOLLOW_LINKS);
        return (mode & TYPE_MASK) == SOCKET;
    }

    private void socket(Path socket, String shown) {
        Path absolute = socket.toAbsolutePath().normalize();
        add(new KnownPlugin.Socket(absolute, shown), absolute.toString());
    }

    private static String place(Path file, KnownPlugin plugin) {
        try {
            return file.toRealPath() + " " + plugin.name();
        } catch (IOException e) {
            return file + " " + plugin.name();
        }
    }

    private void add(KnownPlugin plugin, String place) {
        seen++;
        if (byPlace.putIfAbsent(place, plugin) != null) {
            return;
        }
        KnownPlugin other = byName.putIfAbsent(plugin.name(), plugin);
        if (other != null) {
            wrong(
                    FaultCode.PLUGIN_CLASH,
                    new Problem(
                            Optional.empty(),
                            "plugin " + plugin.name() + " is in " + other.from() + " and in " + plugin.from(),
                            Optional.of("leave one out, or give it another name or version")));
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private void gather(Step step) {
        try {
            step.run();
        } catch (Fault fault) {
            fault.problems().forEach(problem -> wrong(fault.code(), problem));
        } catch (IOException e) {
            wrong(FaultCode.CONFIG_UNREADABLE, Problem.of(Fault.words(e)));
        }
    }

    private void wrong(FaultCode of, Problem problem) {
        code = code.or(() -> Optional.of(of));
        problems.add(problem);
    }

    private static String slashed(String folder) {
        return folder.endsWith("/") ? folder : folder + "/";
    }
}

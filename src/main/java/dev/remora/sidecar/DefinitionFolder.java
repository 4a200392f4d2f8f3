package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The definitions of a folder: `plugin.yaml`, else every `*.yaml` and every `*/plugin.yaml`, without names that begin
/// with a dot, which ConfigMap mounts have.
final class DefinitionFolder {
    private static final String FILE = "plugin.yaml";
    /// A ConfigMap holds 1 MiB in all.
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    /// Above this it is not a folder of definitions.
    private static final int MOST_FILES = 256;

    private final Path folder;
    private final Departures departures;

    DefinitionFolder(Path folder, Departures departures) {
        this.folder = folder;
        this.departures = departures;
    }

    /// Which files count now, with a mark that differs whenever a file is another one or was written to.
    ///
    /// @throws Fault `CONFIG_UNREADABLE` when there is none
    Map<Path, String> files() {
        Map<Path, String> marks = new TreeMap<>();
        Path single = folder.resolve(FILE);
        try {
            if (departures.asArgoCd(Departure.ONE_PLUGIN) || Files.exists(single)) {
                marks.put(single, mark(single));
                return marks;
            }
            for (Path file : several()) {
                marks.put(file, mark(file));
            }
        } catch (IOException e) {
            throw unreadable(single, e);
        }
        if (marks.isEmpty()) {
            throw new Fault(
                    FaultCode.CONFIG_UNREADABLE,
                    "open " + single + ": no such file or directory; " + folder
                            + " holds neither plugin.yaml nor *.yaml nor */plugin.yaml");
        }
        return marks;
    }

    private List<Path> several() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (name.startsWith(".")) {
                    continue;
                }
                if (Files.isDirectory(entry) && Files.exists(entry.resolve(FILE))) {
                    found.add(entry.resolve(FILE));
                } else if (name.endsWith(".yaml") && Files.isRegularFile(entry)) {
                    found.add(entry);
                }
                if (found.size() > MOST_FILES) {
                    throw new Fault(
                            FaultCode.CONFIG_UNREADABLE, folder + " holds more than " + MOST_FILES + " definitions");
                }
            }
        }
        return found;
    }

    /// The text of one file.
    static byte[] read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] text = in.readNBytes(MOST_BYTES + 1);
            if (text.length > MOST_BYTES) {
                throw new Fault(FaultCode.CONFIG_UNREADABLE, file + " is larger than " + MOST_BYTES + " bytes");
            }
            return text;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static String mark(Path file) throws IOException {
        Map<String, Object> status = Files.readAttributes(file, "unix:dev,ino,size,ctime,lastModifiedTime");
        return file.toRealPath() + " " + new TreeMap<>(status);
    }

    private static Fault unreadable(Path file, IOException e) {
        String why = e instanceof NoSuchFileException ? "no such file or directory" : Fault.words(e);
        return new Fault(FaultCode.CONFIG_UNREADABLE, "open " + file + ": " + why, e);
    }
}

package dev.remora.cli;

import dev.remora.cli.OutputIndex.Entry;
import dev.remora.cli.OutputIndex.Written;
import dev.remora.digest.Sha256;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.ObjectPrinter;
import dev.remora.manifest.RenderedObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// `--output-dir`: the objects of many Applications as files, and `index.json` that tells of them
/// (docs/spec/output-folder.md).
///
/// Threads may share it: each Application has files of its own, and one lock guards what is noted of them. A file is
/// replaced at once or not at all, and left alone when nothing changed. Only what an earlier index lists is ever
/// removed.
final class OutputFolder {
    private static final String ENDING = ".yaml";

    private final Path folder;
    private final Layout layout;
    private final boolean mask;
    private final List<String> applications;
    private final List<String> names;
    private final boolean all;
    private final Map<String, Entry> earlier;
    private final Map<String, Entry> now = new HashMap<>();

    /// One file for each object, or for each Application.
    enum Layout {
        OBJECTS,
        APPLICATIONS;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What `index.json` tells of an Application beside its files.
    ///
    /// @param revisions by source
    /// @param dirty whether uncommitted changes were rendered
    /// @param cachedFor the age of an answer that was not made now
    record Told(
            List<String> plugins,
            List<String> revisions,
            boolean dirty,
            Duration took,
            Map<String, Duration> timings,
            Optional<Duration> cachedFor,
            List<String> warnings) {
        Map<String, Object> json(List<RenderedObject> objects) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("objects", objects.size());
            json.put("sha256", digest(objects));
            json.put("plugins", plugins);
            json.put("revisions", revisions);
            json.put("dirty", dirty);
            json.put("seconds", OutputIndex.seconds(took));
            Map<String, Object> phases = new LinkedHashMap<>();
            timings.forEach((phase, time) -> phases.put(phase, OutputIndex.seconds(time)));
            json.put("timings", phases);
            cachedFor.ifPresent(age -> json.put("cachedSeconds", OutputIndex.seconds(age)));
            json.put("warnings", warnings);
            return json;
        }
    }

    private OutputFolder(
            Path folder,
            Layout layout,
            boolean mask,
            List<String> applications,
            boolean all,
            Map<String, Entry> earlier) {
        this.folder = folder;
        this.layout = layout;
        this.mask = mask;
        this.applications = List.copyOf(applications);
        this.names = FileNames.ofApplications(applications, Set.of(OutputIndex.NAME));
        this.all = all;
        this.earlier = Map.copyOf(earlier);
    }

    /// @param mask whether the data of Secrets is hidden in the files
    /// @param applications their names as Argo CD calls them, in the order of the run; each gets its own folder
    /// @param all whether these are all Applications that there are: then the files of others are removed
    static OutputFolder open(Path folder, Layout layout, boolean mask, List<String> applications, boolean all) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new Fault(FaultCode.OUTPUT_FOLDER, folder + " cannot be made: " + Fault.words(e), e);
        }
        Map<String, Entry> earlier = new LinkedHashMap<>();
        OutputIndex.read(folder)
                .ifPresent(index -> index.applications().forEach(each -> earlier.put(each.name(), each)));
        return new OutputFolder(folder, layout, mask, applications, all, earlier);
    }

    /// Writes one Application's objects.
    ///
    /// @param application its place among the names given to [#open]
    void write(int application, List<RenderedObject> objects, Told told) {
        String name = names.get(application);
        List<Written> files = switch (layout) {
            case OBJECTS -> eachObject(name, objects);
            case APPLICATIONS -> List.of(file(name + ENDING, objects, Optional.empty()));
        };
        note(new Entry(name, applications.get(application), told.json(objects), files));
    }

    private List<Written> eachObject(String name, List<RenderedObject> objects) {
        List<String> fileNames =
                FileNames.ofObjects(objects.stream().map(RenderedObject::name).toList());
        if (!objects.isEmpty()) {
            makeFolder(name);
        }
        List<Written> files = new ArrayList<>();
        for (int i = 0; i < objects.size(); i++) {
            RenderedObject object = objects.get(i);
            files.add(file(name + "/" + fileNames.get(i) + ENDING, List.of(object), Optional.of(object)));
        }
        return files;
    }

    private Written file(String path, List<RenderedObject> objects, Optional<RenderedObject> one) {
        byte[] text = ObjectPrinter.text(ObjectPrinter.Form.YAML, objects, mask).getBytes(StandardCharsets.UTF_8);
        replace(folder.resolve(path), text);
        return new Written(path, Sha256.hex(text), one.map(RenderedObject::name));
    }

    /// Notes a failure; the files of an earlier run stay.
    void failed(int application, Fault fault) {
        String name = names.get(application);
        Entry before = earlier.getOrDefault(name, new Entry(name, applications.get(application), Map.of(), List.of()));
        note(before.failed(fault));
    }

    private synchronized void note(Entry entry) {
        now.put(entry.name(), entry);
    }

    /// Removes what an earlier run wrote and this one did not, and writes `index.json`. What this run did not come to
    /// stays as it is.
    synchronized void finish() {
        Map<String, Entry> entries = new HashMap<>(now);
        earlier.forEach((name, entry) -> {
            if (!all || names.contains(name)) {
                entries.putIfAbsent(name, entry);
            }
        });
        Set<String> kept = new HashSet<>();
        entries.values().forEach(entry -> entry.files().forEach(file -> kept.add(folded(file.path()))));
        for (Entry entry : earlier.values()) {
            entry.files().stream()
                    .map(Written::path)
                    .filter(path -> !kept.contains(folded(path)))
                    .forEach(this::remove);
        }
        List<Entry> sorted = new ArrayList<>(entries.values());
        sorted.sort(Comparator.comparing(Entry::name));
        replace(
                folder.resolve(OutputIndex.NAME),
                new OutputIndex(layout.word(), sorted).json().getBytes(StandardCharsets.UTF_8));
    }

    /// A file that an index lists, if it is one that this class can have written: the index is a file as any other.
    private void remove(String path) {
        String[] parts = path.split("/", -1);
        boolean ours = parts.length <= 2 && Arrays.stream(parts).allMatch(FileNames::isSafe) && path.endsWith(ENDING);
        Path parent = parts.length == 2 ? folder.resolve(parts[0]) : folder;
        if (!ours || (parts.length == 2 && !Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS))) {
            return;
        }
        Path file = folder.resolve(path);
        try {
            if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.deleteIfExists(file);
            }
            if (parts.length == 2) {
                Files.deleteIfExists(parent);
            }
        } catch (DirectoryNotEmptyException e) {
            // others are still in the folder
            return;
        } catch (IOException e) {
            throw new Fault(FaultCode.OUTPUT_FOLDER, file + " cannot be removed: " + Fault.words(e), e);
        }
    }

    /// Not through a link, which could lead anywhere.
    private void makeFolder(String name) {
        Path below = folder.resolve(name);
        try {
            Files.createDirectory(below);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(below, LinkOption.NOFOLLOW_LINKS)) {
                throw new Fault(
                        FaultCode.OUTPUT_FOLDER,
                        below + " is no folder of its own; remove it, or name another folder",
                        e);
            }
        } catch (IOException e) {
            throw new Fault(FaultCode.OUTPUT_FOLDER, below + " cannot be made: " + Fault.words(e), e);
        }
    }

    private static void replace(Path file, byte[] text) {
        Path fresh = file.resolveSibling("." + UUID.randomUUID() + ".tmp");
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(file) == text.length
                    && Arrays.equals(Files.readAllBytes(file), text)) {
                return;
            }
            try {
                Files.write(fresh, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw new Fault(FaultCode.OUTPUT_FOLDER, file + " cannot be written: " + Fault.words(e), e);
        }
    }

    private static String digest(List<RenderedObject> objects) {
        MessageDigest digest = Sha256.digest();
        for (RenderedObject object : objects) {
            digest.update(object.json());
            digest.update((byte) '\n');
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String folded(String path) {
        return path.toLowerCase(Locale.ROOT);
    }
}

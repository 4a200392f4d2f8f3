package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.glob.FlatPattern;
import dev.remora.posix.Bytes;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds the files of a plain directory that may be manifests, in Argo CD's order: folder by folder, names by
/// their bytes. Nothing is read but, for the marker, the files' text. One walk; not for several threads.
final class DirectoryWalk {
    private static final List<String> EXTENSIONS = List.of(".yaml", ".yml", ".json", ".jsonnet");
    private static final String CONTEXT = "failed to get potentially valid manifests: ";
    /// More than any repository holds; a folder that grows while it is read ends here.
    private static final int MOST_ENTRIES = 1_000_000;

    private final Path root;
    private final ApplicationSource.Directory settings;
    private final long mostBytes;
    private final Optional<FlatPattern> include;
    private final Optional<FlatPattern> exclude;
    private final List<Found> found = new ArrayList<>();
    private final List<DirectorySource.PassedOver> passedOver = new ArrayList<>();
    private int entries;
    private long bytes;

    /// A file that may hold manifests.
    ///
    /// @param shown its path below the repository's root
    record Found(Path file, String shown) {}

    /// What a walk came to.
    record Result(List<Found> files, List<DirectorySource.PassedOver> passedOver) {}

    private DirectoryWalk(Path root, ApplicationSource.Directory settings, long mostBytes) {
        this.root = root;
        this.settings = settings;
        this.mostBytes = mostBytes;
        this.include = FlatPattern.parse(settings.include());
        this.exclude = FlatPattern.parse(settings.exclude());
    }

    /// Walks a folder that is there.
    ///
    /// @param mostBytes of all files together; 0: any
    static Result walk(Path root, Path folder, ApplicationSource.Directory settings, long mostBytes) {
        DirectoryWalk walk = new DirectoryWalk(root, settings, mostBytes);
        try {
            walk.below(folder, "");
        } catch (IOException e) {
            throw new Fault(FaultCode.DIRECTORY_INVALID, CONTEXT + Fault.words(e), e);
        }
        return new Result(walk.found, walk.passedOver);
    }

    private void below(Path directory, String above) throws IOException {
        record Entry(Bytes name, Path path) {}
        List<Entry> all;
        try (Stream<Path> list = Files.list(directory)) {
            all = list.map(path -> new Entry(name(path), path))
                    .sorted(Comparator.comparing(Entry::name))
                    .toList();
        }
        for (Entry entry : all) {
            if (++entries > MOST_ENTRIES) {
                throw new Fault(FaultCode.DIRECTORY_LIMIT, CONTEXT + "more than " + MOST_ENTRIES + " files");
            }
            String relative = above + entry.name();
            if (!Files.isDirectory(entry.path(), LinkOption.NOFOLLOW_LINKS)) {
                file(entry.path(), entry.name().toString(), relative);
            } else if (settings.recurse()) {
                below(entry.path(), relative + "/");
            }
        }
    }

    private void file(Path path, String name, String relative) throws IOException {
        if (!settings.anyExtension() && !hasExtension(name)) {
            return;
        }
        Optional<Path> real = Files.isSymbolicLink(path) ? target(path, relative) : Optional.of(path);
        if (real.isEmpty()) {
            return;
        }
        if (!Files.isRegularFile(real.get(), LinkOption.NOFOLLOW_LINKS)) {
            pass(path, "it is no file");
            return;
        }
        if (excluded(relative) || !included(relative)) {
            return;
        }
        if (SkipMarker.isIn(real.get())) {
            pass(path, "it holds " + SkipMarker.TEXT);
            return;
        }
        count(path, name, Files.size(real.get()));
        found.add(new Found(path, shown(path)));
    }

    /// Go's `.` takes no line feed.
    private static boolean hasExtension(String name) {
        return name.indexOf('\n') < 0 && EXTENSIONS.stream().anyMatch(name::endsWith);
    }

    private boolean excluded(String relative) {
        return !settings.exclude().isEmpty()
                && exclude.filter(pattern -> pattern.matches(relative)).isPresent();
    }

    private boolean included(String relative) {
        return settings.include().isEmpty()
                || include.filter(pattern -> pattern.matches(relative)).isPresent();
    }

    private Optional<Path> target(Path link, String relative) {
        try {
            Path real = link.toRealPath();
            if (!real.startsWith(root.toRealPath())) {
                throw invalid(link, "illegal filepath in symlink at \"" + relative + "\"");
            }
            return Optional.of(real);
        } catch (NoSuchFileException e) {
            pass(link, "it is a link to nothing");
            return Optional.empty();
        } catch (IOException e) {
            Fault fault = invalid(link, "failed to evaluate symlink at \"" + relative + "\": " + Fault.words(e));
            fault.addSuppressed(e);
            throw fault;
        }
    }

    private Fault invalid(Path file, String why) {
        return new Fault(
                FaultCode.DIRECTORY_INVALID, CONTEXT + "invalid manifest file \"" + shown(file) + "\": " + why);
    }

    /// A Jsonnet file's size says nothing about what it becomes.
    private void count(Path path, String name, long size) {
        if (name.endsWith(DirectorySource.JSONNET)) {
            return;
        }
        bytes += size;
        if (mostBytes != 0 && bytes > mostBytes) {
            throw new Fault(
                    FaultCode.DIRECTORY_LIMIT,
                    CONTEXT + "exceeded max combined manifest file size: up to " + shown(path) + " they are " + bytes
                            + " bytes, and " + mostBytes + " are allowed; exclude files, or raise"
                            + " --max-combined-directory-manifests-size here and in Argo CD");
        }
    }

    private void pass(Path file, String why) {
        passedOver.add(new DirectorySource.PassedOver(shown(file), why));
    }

    private String shown(Path file) {
        return root.relativize(file).toString();
    }

    /// The very bytes, also where the locale cannot say them: there only a URI keeps them.
    private static Bytes name(Path path) {
        String text = String.valueOf(path.getFileName());
        if (text.chars().allMatch(c -> c > 0 && c < 0x80)) {
            return Bytes.utf8(text);
        }
        String uri = path.toUri().getRawPath();
        String last = uri.substring(uri.lastIndexOf('/', uri.length() - 2) + 1).replaceAll("/$", "");
        byte[] bytes = URLDecoder.decode(last.replace("+", "%2B"), StandardCharsets.ISO_8859_1)
                .getBytes(StandardCharsets.ISO_8859_1);
        return Bytes.of(bytes);
    }
}

package dev.remora.cli;

import dev.remora.application.ApplicationDocuments;
import dev.remora.application.ApplicationDocuments.Found;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.glob.DoubleStarPattern;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Finds Applications in files. A file that is named must be readable; of a folder, files that are no YAML (templates)
/// are passed over with a note where they look like an Application.
final class ApplicationFiles {
    /// Of one file; many Applications in one file are a few MiB.
    private static final int MOST_BYTES = 16 << 20;
    /// In one folder with all below it.
    private static final int MOST_FILES = 200_000;

    private static final String STANDARD_INPUT = "-";
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");

    private final Console console;
    private final boolean recursive;
    private final List<Found> found = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<Path> candidates = new ArrayList<>();
    private int sets;

    private ApplicationFiles(Console console, boolean recursive) {
        this.console = console;
        this.recursive = recursive;
    }

    /// What was found.
    ///
    /// @param notes for people
    record Collected(List<Found> found, List<String> notes) {}

    /// @param names values of `--filename`
    static Collected named(List<String> names, boolean recursive, Console console) {
        ApplicationFiles files = new ApplicationFiles(console, recursive);
        names.forEach(files::named);
        return files.collected();
    }

    /// All below a folder.
    static Collected below(Path root, Console console) {
        ApplicationFiles files = new ApplicationFiles(console, true);
        files.folder(root, path -> true);
        return files.collected();
    }

    private Collected collected() {
        if (sets > 0) {
            notes.add(sets + (sets == 1 ? " ApplicationSet is" : " ApplicationSets are")
                    + " not rendered: this version does not make Applications of them");
        }
        return new Collected(List.copyOf(found), List.copyOf(notes));
    }

    private void named(String name) {
        if (name.equals(STANDARD_INPUT)) {
            take("standard input", read(console.in(), "standard input"), true);
            return;
        }
        Path path = console.directory().resolve(name);
        if (Files.isDirectory(path)) {
            folder(path, inside -> recursive || path.equals(inside.getParent()));
        } else if (Files.exists(path)) {
            take(name, file(path, name), true);
        } else if (name.matches(".*[*?\\[{].*")) {
            pattern(name);
        } else {
            throw new Fault(FaultCode.USAGE, "--filename " + name + ": no such file or folder");
        }
    }

    private void pattern(String name) {
        int before = found.size();
        int wild = (name + "*").replaceAll("[*?\\[{].*", "").lastIndexOf('/') + 1;
        Path base = console.directory().resolve(name.substring(0, wild));
        List<DoubleStarPattern> patterns = DoubleStarPattern.parse(List.of(), Bytes.utf8(name.substring(wild)))
                .orElseThrow(() -> new Fault(FaultCode.USAGE, "--filename " + name + " is no pattern"));
        if (Files.isDirectory(base)) {
            folder(base, path -> {
                List<Bytes> parts =
                        LexicalPath.parts(Bytes.utf8(base.relativize(path).toString()));
                return patterns.stream().anyMatch(pattern -> pattern.matches(parts));
            });
        }
        if (found.size() == before) {
            throw new Fault(FaultCode.USAGE, "--filename " + name + ": no file that matches holds an Application");
        }
    }

    private void folder(Path root, Predicate<Path> wanted) {
        int[] files = {0};
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return folder.endsWith(".git") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (++files[0] > MOST_FILES) {
                        throw new Fault(
                                FaultCode.USAGE,
                                root + " holds more than " + MOST_FILES + " files; name a folder in it");
                    }
                    if (wanted.test(file) && isYaml(file) && Files.isRegularFile(file)) {
                        candidates.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failed) {
                    notes.add(shown(file) + " cannot be read: " + Fault.words(failed));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "cannot read " + root + ": " + Fault.words(e), e);
        }
        candidates.sort(null);
        candidates.forEach(file -> take(shown(file), file(file, shown(file)), false));
        candidates.clear();
    }

    private static boolean isYaml(Path file) {
        String name = String.valueOf(file.getFileName());
        return ENDINGS.stream().anyMatch(name::endsWith);
    }

    /// Below the current folder as people would type it.
    private String shown(Path file) {
        return file.startsWith(console.directory())
                ? console.directory().relativize(file).toString()
                : file.toString();
    }

    private static byte[] file(Path file, String shown) {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, shown);
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "--filename " + shown + " cannot be read: " + Fault.words(e), e);
        }
    }

    private static byte[] read(InputStream in, String shown) {
        try {
            byte[] all = in.readNBytes(MOST_BYTES + 1);
            if (all.length > MOST_BYTES) {
                throw new Fault(FaultCode.USAGE, shown + " is larger than " + (MOST_BYTES >> 20) + " MiB");
            }
            return all;
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, shown + " cannot be read: " + Fault.words(e), e);
        }
    }

    private void take(String shown, byte[] text, boolean named) {
        if (!named && !mayHoldOne(text)) {
            return;
        }
        Optional<ApplicationDocuments> documents = documents(shown, text, named);
        if (documents.isEmpty()) {
            return;
        }
        sets += documents.get().sets().size();
        found.addAll(documents.get().found());
        if (named && documents.get().found().isEmpty() && documents.get().sets().isEmpty()) {
            throw new Fault(
                    FaultCode.USAGE,
                    shown + " holds no Application (apiVersion: argoproj.io/v1alpha1, kind: Application)");
        }
    }

    private Optional<ApplicationDocuments> documents(String shown, byte[] text, boolean named) {
        try {
            return Optional.of(ApplicationDocuments.read(shown, text));
        } catch (Fault fault) {
            if (named) {
                throw fault;
            }
            notes.add(Fault.words(fault) + " (passed over)");
            return Optional.empty();
        }
    }

    /// A quick look that spares parsing every file of a repository.
    private static boolean mayHoldOne(byte[] text) {
        String letters = new String(text, StandardCharsets.ISO_8859_1);
        return letters.contains("argoproj.io/") && letters.contains("Application");
    }
}

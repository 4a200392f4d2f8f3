package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.glob.FlatPattern;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.ManifestFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Reads a folder of plain YAML and JSON files as Argo CD's repo-server does (docs/spec/directory.md). Threads
/// may share it.
public final class DirectorySource {
    /// What Argo CD's repo-server allows where nobody says otherwise: 10M.
    public static final long DEFAULT_BYTES = 10_000_000;

    static final String JSONNET = ".jsonnet";

    /// What fits into memory, where the user allows any size.
    private static final int MOST_FILE_BYTES = 1 << 30;

    private final long mostBytes;

    /// The documents of one file.
    ///
    /// @param path below the repository's root
    public record File(String path, List<ManifestDocument> documents) {
        public File {
            documents = List.copyOf(documents);
        }
    }

    /// A file that could have been a manifest by its name.
    ///
    /// @param path below the repository's root
    /// @param reason the rest of a sentence
    public record PassedOver(String path, String reason) {}

    /// What a folder holds.
    ///
    /// @param files in their order, those without a document left out
    /// @param passedOver as Argo CD does silently
    /// @param warnings for people, one sentence each
    public record Contents(List<File> files, List<PassedOver> passedOver, List<String> warnings) {
        public Contents {
            files = List.copyOf(files);
            passedOver = List.copyOf(passedOver);
            warnings = List.copyOf(warnings);
        }
    }

    /// A reader of folders that are not larger than this.
    ///
    /// @param mostBytes of all files together, as `--max-combined-directory-manifests-size`; 0: no limit of Argo
    ///     CD's
    public DirectorySource(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /// The documents of a source.
    ///
    /// @param root the repository's files, absolute
    /// @param folder the source's, below `root`
    /// @throws Fault DIRECTORY_INVALID, DIRECTORY_LIMIT, SOURCE_NOT_YET for a Jsonnet file
    public Contents read(Path root, Path folder, ApplicationSource.Directory settings) {
        List<String> warnings = warnings(settings);
        if (Files.isSymbolicLink(folder)) {
            warnings.add(root.relativize(folder)
                    + " is a link, and Argo CD does not look through one: it finds no manifest there");
            return new Contents(List.of(), List.of(), warnings);
        }
        DirectoryWalk.Result walked = DirectoryWalk.walk(root, folder, settings, mostBytes);
        refuseJsonnet(walked.files());
        List<File> files = new ArrayList<>();
        List<PassedOver> passedOver = new ArrayList<>(walked.passedOver());
        for (DirectoryWalk.Found found : walked.files()) {
            ManifestFile file = ManifestFile.read(found.shown(), bytes(found));
            warnings.addAll(file.warnings());
            file.passedOver().ifPresent(why -> passedOver.add(new PassedOver(found.shown(), why)));
            if (!file.documents().isEmpty()) {
                files.add(new File(found.shown(), file.documents()));
            }
        }
        return new Contents(files, passedOver, warnings);
    }

    private static List<String> warnings(ApplicationSource.Directory settings) {
        List<String> warnings = new ArrayList<>();
        malformed("include", settings.include(), "no file is included").ifPresent(warnings::add);
        malformed("exclude", settings.exclude(), "no file is excluded").ifPresent(warnings::add);
        if (settings.anyExtension()
                && settings.include().isEmpty()
                && settings.exclude().isEmpty()) {
            warnings.add("spec.source.directory.disableExtensionFilter without include or exclude: every file is read"
                    + " as a manifest");
        }
        return warnings;
    }

    private static Optional<String> malformed(String field, String pattern, String effect) {
        return FlatPattern.parse(pattern).isPresent()
                ? Optional.empty()
                : Optional.of("spec.source.directory." + field + " \"" + pattern + "\" is no pattern, so " + effect);
    }

    private static void refuseJsonnet(List<DirectoryWalk.Found> files) {
        List<Problem> problems = files.stream()
                .map(DirectoryWalk.Found::shown)
                .filter(file -> file.endsWith(JSONNET))
                .map(file -> new Problem(
                        Optional.empty(),
                        file + " is Jsonnet, which this version does not evaluate",
                        Optional.of("leave it out by spec.source.directory.exclude: '*.jsonnet', or render it by a"
                                + " plugin that runs jsonnet")))
                .collect(Collectors.toList());
        if (!problems.isEmpty()) {
            throw new Fault(FaultCode.SOURCE_NOT_YET, problems);
        }
    }

    /// A file that grows behind our back is no longer the one that was measured.
    private byte[] bytes(DirectoryWalk.Found found) {
        int most = mostBytes == 0 ? MOST_FILE_BYTES : (int) Math.min(mostBytes, MOST_FILE_BYTES);
        try (InputStream in = Files.newInputStream(found.file())) {
            byte[] all = in.readNBytes(most + 1);
            if (all.length > most) {
                throw new Fault(
                        FaultCode.DIRECTORY_LIMIT, found.shown() + " is larger than " + most + " bytes; exclude it");
            }
            return all;
        } catch (IOException e) {
            throw new Fault(
                    FaultCode.DIRECTORY_INVALID, "Failed to open \"" + found.shown() + "\": " + Fault.words(e), e);
        }
    }
}

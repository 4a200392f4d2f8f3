package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.ManifestDocument;
import java.nio.file.Path;
import java.util.List;

/// Reads a folder of plain YAML and JSON files as Argo CD's repo-server does (docs/spec/directory.md). Threads may
/// share it.
public final class DirectorySource {
    /// What Argo CD's repo-server allows where nobody says otherwise: 10M.
    public static final long DEFAULT_BYTES = 10_000_000;

    private final long mostBytes;

    /// The documents of one file.
    ///
    /// @param path below the repository's root
    public record File(String path, List<ManifestDocument> documents) {
        public File {
            documents = List.copyOf(documents);
        }
    }

    /// What a folder holds.
    ///
    /// @param files in their order, those without a document left out
    /// @param warnings which files were passed over, and why; one sentence each
    public record Contents(List<File> files, List<String> warnings) {
        public Contents {
            files = List.copyOf(files);
            warnings = List.copyOf(warnings);
        }
    }

    /// A reader of folders that are not larger than this.
    ///
    /// @param mostBytes of all files, as `--max-combined-directory-manifests-size`; 0: Argo CD sets no limit
    public DirectorySource(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /// The documents of a source.
    ///
    /// @param root the repository's files, absolute
    /// @param folder the source's, below `root`
    /// @throws Fault DIRECTORY_INVALID, DIRECTORY_LIMIT, SOURCE_NOT_YET for a Jsonnet file
    public Contents read(Path root, Path folder, ApplicationSource.Directory settings) {
        throw new Fault(FaultCode.INTERNAL, "not yet: " + mostBytes + root + folder + settings);
    }
}

package dev.remora.generation;

import dev.remora.manifest.ManifestDocument;
import java.util.List;

/// What a plugin made of a folder.
///
/// @param stderr what the generate command said beside it, head and tail
public record GeneratedManifests(List<ManifestDocument> documents, String stderr) {
    public GeneratedManifests {
        documents = List.copyOf(documents);
    }
}

package dev.remora.manifest;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;

/// What Argo CD's repo-server makes of the documents of a source: each is decoded, lists are taken apart, every object
/// is
/// marked as the Application's, and written as Go writes it, in the order of the documents
/// (docs/spec/post-processing.md). Objects are neither checked nor given a namespace, and duplicates stay.
///
/// For several threads: it has no state.
public final class PostProcessing {
    private final Tracking tracking;

    public PostProcessing(Tracking tracking) {
        this.tracking = tracking;
    }

    /// The objects of a plugin's answer, each of whose texts is split and read once more as YAML.
    ///
    /// @param source the source's place among the Application's sources, from 0
    /// @throws Fault MANIFEST_CONVERSION, MANIFEST_TRACKING
    public List<RenderedObject> ofPlugin(int source, List<ManifestDocument> documents) {
        throw new Fault(FaultCode.INTERNAL, "not yet: " + tracking + source + documents);
    }

    /// The objects of a file of a plain directory, whose documents are JSON already.
    ///
    /// @param file as people call it
    /// @throws Fault MANIFEST_CONVERSION, MANIFEST_TRACKING
    public List<RenderedObject> ofFile(int source, String file, List<ManifestDocument> documents) {
        throw new Fault(FaultCode.INTERNAL, "not yet: " + tracking + source + file + documents);
    }
}

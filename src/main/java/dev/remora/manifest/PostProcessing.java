package dev.remora.manifest;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.manifest.RenderedObject.ObjectName;
import dev.remora.manifest.RenderedObject.Place;
import dev.remora.yaml.GoJson;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What Argo CD's repo-server makes of the documents of a source: each is decoded, lists are taken apart, every object
/// is
/// marked as the Application's, and written as Go writes it, in the order of the documents
/// (docs/spec/post-processing.md). Objects are neither checked nor given a namespace, and duplicates stay.
///
/// For several threads: it has no state.
public final class PostProcessing {
    private static final String CONVERSION = "failed to convert CMP manifests to unstructured objects: ";
    private static final String UNMARSHAL = "failed to unmarshal manifest: ";
    private static final String FROM_YAML = "error converting YAML to JSON: ";
    private static final String INTO_OBJECT = "error unmarshaling JSON: while decoding JSON: ";

    private static final String AS_YAML_ADVICE =
            "Argo CD reads the plugin's JSON as YAML 1.1, which has no \\/ and no surrogate pairs such as \\ud83d\\ude00;"
                    + " print the characters themselves, or YAML";

    private final Tracking tracking;
    private final Tracker tracker;

    public PostProcessing(Tracking tracking) {
        this.tracking = tracking;
        this.tracker = new Tracker(tracking);
    }

    /// The objects of a plugin's answer, each of whose texts is split and read once more as YAML.
    ///
    /// @param source the source's place among the Application's sources, from 0
    /// @throws Fault MANIFEST_CONVERSION, MANIFEST_TRACKING
    public List<RenderedObject> ofPlugin(int source, List<ManifestDocument> documents) {
        Collected collected = new Collected(SplitOptions.DEFAULT_RESULT_BYTES);
        for (ManifestDocument answer : documents) {
            Place place = new Place(source, "", answer.number(), answer.line());
            collect(place, collected, () -> decoded(answer.json()));
        }
        return List.copyOf(collected.objects);
    }

    /// The objects of a file of a plain directory, whose documents are JSON already.
    ///
    /// @param file as people call it
    /// @throws Fault MANIFEST_CONVERSION, MANIFEST_TRACKING
    public List<RenderedObject> ofFile(int source, String file, List<ManifestDocument> documents) {
        Collected collected = new Collected(SplitOptions.DEFAULT_RESULT_BYTES);
        JsonReader reader = new JsonReader(file, FaultCode.MANIFEST_CONVERSION);
        for (ManifestDocument document : documents) {
            Place place = new Place(source, file, document.number(), document.line());
            collect(place, collected, () -> List.of(object(reader.read(document.json()))));
        }
        return List.copyOf(collected.objects);
    }

    /// What is collected of one source, and the bytes that are left for it.
    private static final class Collected {
        private final List<RenderedObject> objects = new ArrayList<>();
        private long left;

        Collected(long left) {
            this.left = left;
        }

        void add(RenderedObject object) {
            objects.add(object);
            left -= object.json().length;
        }
    }

    private List<YamlNode.Mapping> decoded(byte[] answer) {
        List<YamlNode.Mapping> objects = new ArrayList<>();
        YamlReader reader = new YamlReader("answer", FaultCode.MANIFEST_CONVERSION);
        try {
            for (ManifestDocument document : ManifestSplitter.split(answer, SplitOptions.ARGOCD)) {
                objects.add(object(read(reader, document.json())));
            }
        } catch (Fault fault) {
            throw fault.in("CMP processing failed for application \"" + tracking.application() + "\": " + CONVERSION);
        }
        return objects;
    }

    private static YamlNode read(YamlReader reader, byte[] json) {
        try {
            return reader.read(json);
        } catch (Fault fault) {
            Problem problem = fault.problems().getFirst();
            String line = problem.where()
                    .map(where -> "yaml: line " + where.line() + ": ")
                    .orElse("");
            throw new Fault(
                    FaultCode.MANIFEST_CONVERSION,
                    new Problem(
                            Optional.empty(),
                            UNMARSHAL + FROM_YAML + line + problem.message(),
                            Optional.of(AS_YAML_ADVICE)));
        }
    }

    /// What is an object for Kubernetes' client library: a mapping with a kind.
    static YamlNode.Mapping object(YamlNode document) {
        if (!(document instanceof YamlNode.Mapping object)) {
            throw new Fault(
                    FaultCode.MANIFEST_CONVERSION,
                    UNMARSHAL + INTO_OBJECT + "json: cannot unmarshal " + document.goKind()
                            + " into Go value of type map[string]interface {}");
        }
        if (GroupKind.of(object).kind().isEmpty()) {
            String apiVersion = NestedFields.text(object, "apiVersion");
            boolean slashes = apiVersion.indexOf('/') != apiVersion.lastIndexOf('/');
            throw new Fault(
                    FaultCode.MANIFEST_CONVERSION,
                    new Problem(
                            Optional.empty(),
                            UNMARSHAL + INTO_OBJECT + "Object 'Kind' is missing"
                                    + (slashes ? ", since apiVersion has more than one slash" : ""),
                            Optional.of(slashes ? "write GROUP/VERSION" : "print objects with a kind")));
        }
        return object;
    }

    private void collect(Place place, Collected collected, Supplier<List<YamlNode.Mapping>> documents) {
        try {
            for (YamlNode.Mapping document : documents.get()) {
                for (YamlNode item : KubernetesObjects.of(document)) {
                    YamlNode.Mapping marked = tracker.mark(member(item));
                    collected.add(new RenderedObject(GoJson.decoded(marked, collected.left), name(marked), place));
                }
            }
        } catch (Fault fault) {
            throw at(place, fault);
        }
    }

    private static YamlNode.Mapping member(YamlNode item) {
        if (item instanceof YamlNode.Mapping object) {
            return object;
        }
        throw new Fault(FaultCode.MANIFEST_CONVERSION, "items member is not an object: map[string]interface {}");
    }

    private static ObjectName name(YamlNode.Mapping object) {
        String name = NestedFields.text(object, "metadata", "name");
        String generateName = NestedFields.text(object, "metadata", "generateName");
        boolean generated = name.isEmpty() && !generateName.isEmpty();
        return new ObjectName(
                NestedFields.text(object, "apiVersion"),
                NestedFields.text(object, "kind"),
                NestedFields.text(object, "metadata", "namespace"),
                generated ? generateName : name,
                generated);
    }

    /// Argo CD's words, and where the document is, which they lack.
    private static Fault at(Place place, Fault fault) {
        Problem problem = fault.problems().getFirst();
        Optional<Where> where =
                place.file().isEmpty() ? Optional.empty() : Optional.of(new Where(place.file(), place.line(), 0));
        String words = where.isPresent() ? problem.message() : problem.message() + ", in " + place;
        FaultCode code = fault.code() == FaultCode.OUTPUT_INVALID ? FaultCode.MANIFEST_CONVERSION : fault.code();
        return new Fault(code, new Problem(where, words, problem.advice()));
    }
}

package dev.remora.manifest;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.yaml.JsonStream;
import dev.remora.yaml.YamlNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One YAML or JSON file of a plain directory as Argo CD's repo-server reads it (docs/spec/directory.md): a
/// `.json` file holds one object; any other holds YAML documents or JSON values. What is no manifest at all is
/// passed over, unless it looks like one.
///
/// @param documents in their order
/// @param passedOver why nothing in it counts
/// @param warnings one sentence each
public record ManifestFile(List<ManifestDocument> documents, Optional<String> passedOver, List<String> warnings) {
    private static final String JSON = ".json";

    /// A text that holds all of these, anywhere, looks like a manifest.
    private static final List<byte[]> SIGNS = Stream.of("apiVersion:", "kind:", "metadata:")
            .map(sign -> sign.getBytes(StandardCharsets.US_ASCII))
            .toList();

    public ManifestFile {
        documents = List.copyOf(documents);
        warnings = List.copyOf(warnings);
    }

    /// Reads a file.
    ///
    /// @param file as people call it; the part behind the last slash decides between JSON and YAML
    /// @throws Fault DIRECTORY_INVALID
    public static ManifestFile read(String file, byte[] bytes) {
        byte[] text = FileText.utf8(bytes);
        return file.endsWith(JSON) ? json(file, text) : yaml(file, text);
    }

    private static ManifestFile json(String file, byte[] text) {
        JsonStream stream = new JsonStream(text, 0, text.length, 1);
        return switch (stream.next()) {
            case JsonStream.End() ->
                throw invalid(file, Where.file(file), "EOF", "write an object into it, or remove it");
            case JsonStream.Broken broken ->
                throw invalid(file, new Where(file, broken.line(), broken.column()), broken.goText(), "write JSON");
            case JsonStream.Value value -> {
                YamlNode.Mapping object = object(file, value.node());
                refuseMore(file, text, value);
                byte[] json = Arrays.copyOfRange(text, value.from(), value.to());
                int objects = KubernetesObjects.of(object).size();
                yield new ManifestFile(
                        List.of(new ManifestDocument(json, 1, value.line(), objects)), Optional.empty(), List.of());
            }
        };
    }

    private static YamlNode.Mapping object(String file, YamlNode node) {
        Where where = new Where(file, node.line(), node.column());
        if (!(node instanceof YamlNode.Mapping object)) {
            String words = "json: cannot unmarshal " + node.goKind() + " into Go value of type map[string]interface {}";
            throw invalid(file, where, words, "write one object");
        }
        if (GroupKind.of(object).kind().isEmpty()) {
            throw invalid(
                    file,
                    where,
                    "Object 'Kind' is missing",
                    "leave out what is no manifest by spec.source.directory.exclude");
        }
        return object;
    }

    /// Go's decoder sees no further value in what begins with a closing bracket.
    private static void refuseMore(String file, byte[] text, JsonStream.Value value) {
        int at = value.to();
        while (at < text.length && " \t\r\n".indexOf(text[at]) >= 0) {
            at++;
        }
        if (at < text.length && "]}".indexOf(text[at]) < 0) {
            throw new Fault(
                    FaultCode.DIRECTORY_INVALID,
                    Problem.at(
                            new Where(file, OutputText.lineOf(text, at), 0),
                            "Found multiple objects in \"" + name(file)
                                    + "\". Only single objects are allowed in JSON files.",
                            "put them into a List, or into a .yaml file"));
        }
    }

    private static ManifestFile yaml(String file, byte[] text) {
        ManifestSplitter.Objects read = ManifestSplitter.objects(text);
        List<String> warnings = read.lost().stream()
                .flatMap(lost -> lost.problems().stream())
                .map(problem -> file + ": " + inFile(problem.message()))
                .toList();
        if (read.failure().isEmpty()) {
            return new ManifestFile(read.documents(), Optional.empty(), warnings);
        }
        String words = inFile(read.failure().get().problems().getFirst().message());
        if (!read.documents().isEmpty() || looksLikeManifest(text)) {
            throw invalid(file, Where.file(file), words, "mend it, or leave it out by spec.source.directory.exclude");
        }
        return new ManifestFile(List.of(), Optional.of("it is no Kubernetes manifest: " + words), List.of());
    }

    private static String inFile(String message) {
        return message.replace(" of the output)", " of the file)");
    }

    private static boolean looksLikeManifest(byte[] text) {
        return SIGNS.stream().allMatch(sign -> FileText.contains(text, sign));
    }

    private static Fault invalid(String file, Where where, String words, String advice) {
        return new Fault(
                FaultCode.DIRECTORY_INVALID,
                Problem.at(where, "Failed to unmarshal \"" + name(file) + "\": " + words, advice));
    }

    private static String name(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }
}

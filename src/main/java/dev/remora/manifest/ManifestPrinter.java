package dev.remora.manifest;

import dev.remora.fault.FaultCode;
import dev.remora.yaml.GoJson;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Prints documents for people and programs. Lists are taken apart in all forms but YAML, which shows the documents as
/// they are.
public final class ManifestPrinter {
    private static final JsonReader READER = new JsonReader("document", FaultCode.OUTPUT_INVALID);
    private static final List<String> HEADINGS = List.of("NAMESPACE", "NAME", "KIND", "APIVERSION", "LINE");

    private ManifestPrinter() {}

    /// Block YAML, documents separated by `---`.
    public static String yaml(List<ManifestDocument> documents, boolean maskSecrets) {
        return documents.stream()
                .map(document -> YamlWriter.text(read(document, maskSecrets)))
                .collect(Collectors.joining("---\n"));
    }

    /// A `v1` List in JSON, indented.
    public static String json(List<ManifestDocument> documents, boolean maskSecrets) {
        var objects = new ArrayList<YamlNode>();
        for (ManifestDocument document : documents) {
            objects.addAll(KubernetesObjects.of(read(document, maskSecrets)));
        }
        return GoJson.indented(YamlNode.map(List.of(
                        YamlNode.entry("apiVersion", YamlNode.text("v1")),
                        YamlNode.entry("kind", YamlNode.text("List")),
                        YamlNode.entry("items", YamlNode.list(objects)))))
                + "\n";
    }

    /// `deployment.apps/web`, a line each.
    public static String name(List<ManifestDocument> documents) {
        var lines = new StringBuilder();
        for (ManifestDocument document : documents) {
            for (YamlNode object : KubernetesObjects.of(read(document, false))) {
                lines.append(resource(object))
                        .append('/')
                        .append(KubernetesObjects.name(object))
                        .append('\n');
            }
        }
        return lines.toString();
    }

    private static String resource(YamlNode object) {
        String apiVersion = KubernetesObjects.apiVersion(object);
        int slash = apiVersion.indexOf('/');
        String kind = KubernetesObjects.kind(object).toLowerCase(Locale.ROOT);
        return slash < 0 ? kind : kind + "." + apiVersion.substring(0, slash);
    }

    /// A table: namespace, name, kind, API version, and the line of the output on which the document begins.
    public static String wide(List<ManifestDocument> documents) {
        var rows = new ArrayList<List<String>>();
        rows.add(HEADINGS);
        for (ManifestDocument document : documents) {
            for (YamlNode object : KubernetesObjects.of(read(document, false))) {
                rows.add(List.of(
                        KubernetesObjects.namespace(object),
                        KubernetesObjects.name(object),
                        KubernetesObjects.kind(object),
                        KubernetesObjects.apiVersion(object),
                        Integer.toString(document.line())));
            }
        }
        return table(rows);
    }

    /// Columns as wide as their widest cell; the first row has the headings.
    static String table(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        var out = new StringBuilder();
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 3);
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }

    private static YamlNode read(ManifestDocument document, boolean maskSecrets) {
        YamlNode root = READER.read(document.json());
        return maskSecrets ? SecretMask.masked(root) : root;
    }
}

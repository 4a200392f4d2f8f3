package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.RenderedObject.ObjectName;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `index.json` of an output folder: which Application was written into which files, with counts, digests and timings.
/// A
/// later run removes only what it lists.
///
/// @param layout of the files
/// @param applications in the order of their names in the folder
record OutputIndex(String layout, List<Entry> applications) {
    static final String NAME = "index.json";

    private static final String SCHEMA = "remora/render-index/v1";
    /// Some hundred thousand files.
    private static final int MOST_BYTES = 64 << 20;

    OutputIndex {
        applications = List.copyOf(applications);
    }

    /// One Application.
    ///
    /// @param name of its folder or file, which no two have
    /// @param application as Argo CD calls it
    /// @param details what a reader wants to know beside the files, in the order of the text
    record Entry(String name, String application, Map<String, Object> details, List<Written> files) {
        Entry {
            files = List.copyOf(files);
        }

        /// As an earlier run wrote it, so that nothing it lists is forgotten.
        Entry failed(Fault fault) {
            Map<String, Object> json = new LinkedHashMap<>(details);
            json.put(
                    "failed",
                    Map.of("code", fault.code().id(), "kind", fault.kind().name()));
            json.put("message", fault.getMessage() == null ? "" : fault.getMessage());
            return new Entry(name, application, json, files);
        }
    }

    /// One file, by its path below the folder with `/` between.
    ///
    /// @param object what it holds; empty: all of the Application's
    record Written(String path, String digest, Optional<ObjectName> object) {}

    /// The folder's index; empty where there is none or it is another program's.
    static Optional<OutputIndex> read(Path folder) {
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] text = in.readNBytes(MOST_BYTES + 1);
            if (text.length > MOST_BYTES) {
                throw new Fault(FaultCode.OUTPUT_FOLDER, file + " is larger than 64 MiB; remove it");
            }
            return parse(new JsonReader(file.toString(), FaultCode.OUTPUT_FOLDER).read(text));
        } catch (IOException e) {
            throw new Fault(FaultCode.OUTPUT_FOLDER, file + " cannot be read: " + Fault.words(e), e);
        }
    }

    private static Optional<OutputIndex> parse(YamlNode root) {
        if (!(root instanceof YamlNode.Mapping index)
                || !index.text("schema").orElse("").equals(SCHEMA)) {
            return Optional.empty();
        }
        List<Entry> entries = new ArrayList<>();
        for (YamlNode.Mapping entry : mappings(index, "applications")) {
            List<Written> files =
                    mappings(entry, "files").stream().map(OutputIndex::written).toList();
            entries.add(new Entry(
                    entry.text("name").orElse(""), entry.text("application").orElse(""), details(entry), files));
        }
        return Optional.of(new OutputIndex(index.text("layout").orElse(""), entries));
    }

    private static Written written(YamlNode.Mapping file) {
        Optional<ObjectName> object = file.text("kind")
                .map(kind -> new ObjectName(
                        file.text("apiVersion").orElse(""),
                        kind,
                        file.text("namespace").orElse(""),
                        file.text("object").orElse(""),
                        false));
        return new Written(file.text("path").orElse(""), file.text("sha256").orElse(""), object);
    }

    /// What is there beside name and files, as it is; a failure of that run is over.
    private static Map<String, Object> details(YamlNode.Mapping entry) {
        Map<String, Object> details = new LinkedHashMap<>();
        for (YamlNode.Entry each : entry.entries()) {
            if (!List.of("name", "application", "files", "failed", "message").contains(each.key())) {
                details.put(each.key(), plain(each.value()));
            }
        }
        return details;
    }

    /// A tree as [JsonDocument] takes it.
    static Object plain(YamlNode node) {
        return switch (node) {
            case YamlNode.Mapping mapping -> {
                Map<String, Object> map = new LinkedHashMap<>();
                mapping.entries().forEach(entry -> map.put(entry.key(), plain(entry.value())));
                yield map;
            }
            case YamlNode.Sequence list ->
                list.items().stream().map(OutputIndex::plain).toList();
            case YamlNode.Text text -> text.value();
            case YamlNode.Bool bool -> bool.value();
            case YamlNode.Number number ->
                number.integer() && number.json().length() < 18
                        ? (Object) Long.valueOf(number.json())
                        : (Object) Double.valueOf(number.json());
            case YamlNode.Null _ -> "";
        };
    }

    private static List<YamlNode.Mapping> mappings(YamlNode.Mapping of, String key) {
        if (!(of.get(key).orElse(null) instanceof YamlNode.Sequence list)) {
            return List.of();
        }
        return list.items().stream()
                .filter(YamlNode.Mapping.class::isInstance)
                .map(YamlNode.Mapping.class::cast)
                .toList();
    }

    String json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", SCHEMA);
        json.put("layout", layout);
        json.put("counts", counts());
        json.put("applications", applications.stream().map(OutputIndex::json).toList());
        return JsonDocument.write(json);
    }

    private Map<String, Object> counts() {
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("applications", applications.size());
        counts.put(
                "failed",
                applications.stream()
                        .filter(each -> each.details().containsKey("failed"))
                        .count());
        counts.put(
                "objects",
                applications.stream()
                        .mapToLong(each -> each.details().get("objects") instanceof Number n ? n.longValue() : 0)
                        .sum());
        counts.put(
                "files",
                applications.stream().mapToLong(each -> each.files().size()).sum());
        return counts;
    }

    private static Map<String, Object> json(Entry entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", entry.name());
        json.put("application", entry.application());
        json.putAll(entry.details());
        json.put("files", entry.files().stream().map(OutputIndex::json).toList());
        return json;
    }

    private static Map<String, Object> json(Written file) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", file.path());
        json.put("sha256", file.digest());
        file.object().ifPresent(object -> {
            json.put("apiVersion", object.apiVersion());
            json.put("kind", object.kind());
            json.put("namespace", object.namespace());
            json.put("object", object.name());
        });
        return json;
    }

    /// Seconds as people read them.
    static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }
}

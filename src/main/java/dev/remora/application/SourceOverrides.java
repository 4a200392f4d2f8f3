package dev.remora.application;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.yaml.GoJson;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What `.argocd-source.yaml` and `.argocd-source-<application>.yaml` change in a source. Each is a merge patch whose
/// result is written over the source as Go does it ([GoMemory]); what says where the files are stays the Application's.
public final class SourceOverrides {
    public static final String FOR_ALL = ".argocd-source.yaml";
    /// Where the files are: what a file says of these is ignored.
    private static final List<String> PLACE = List.of("repoURL", "path", "targetRevision", "chart");

    private static final String PREFIX = "error getting app source type: error while parsing source parameters: ";

    private final GoMemory memory = new GoMemory(SourceFields.SOURCE);
    private final ApplicationSource original;
    private final List<Change> changes = new ArrayList<>();

    /// A field that a file changed, as JSON; empty where it was absent before.
    public record Change(String file, String field, String before, String after) {}

    public SourceOverrides(ApplicationSource source) {
        this.original = source;
        memory.decode(source.written(), "source", (node, path, wanted) -> {});
    }

    /// The file's name for one application.
    public static String forApplication(String instanceName) {
        return ".argocd-source-" + instanceName + ".yaml";
    }

    /// Takes one file over, the general one first.
    ///
    /// @param file how it is called in faults
    /// @throws Fault APPLICATION_INVALID with all that is wrong in it
    public void apply(String file, byte[] text) {
        YamlNode patch = new YamlReader(file, FaultCode.APPLICATION_INVALID).read(text);
        if (!(patch instanceof YamlNode.Mapping changed)) {
            throw new Fault(FaultCode.APPLICATION_INVALID, notAnObject(file, patch));
        }
        YamlNode before = memory.encode();
        List<Problem> problems = new ArrayList<>();
        memory.decode(
                MergePatch.apply((YamlNode.Mapping) before, changed),
                "",
                (node, path, wanted) -> problems.add(Problem.at(
                        new Where(file, node.line(), node.column()),
                        path + ": cannot unmarshal " + node.goKind() + " into a value of type " + wanted)));
        if (!problems.isEmpty()) {
            throw new Fault(FaultCode.APPLICATION_INVALID, problems).in(PREFIX);
        }
        note(file, before, memory.encode());
    }

    private static Problem notAnObject(String file, YamlNode patch) {
        String what = patch instanceof YamlNode.Sequence
                ? "cannot unmarshal array into a source"
                : "Invalid JSON Patch: the file holds no object";
        return new Problem(
                Optional.of(new Where(file, Math.max(1, patch.line()), Math.max(1, patch.column()))),
                PREFIX + what,
                Optional.of("write fields of a source such as plugin:, or remove the file"));
    }

    private void note(String file, YamlNode before, YamlNode after) {
        for (String field : SourceFields.SOURCE.fields().sequencedKeySet()) {
            if (PLACE.contains(field)) {
                continue;
            }
            compare(file, field, child(before, field), child(after, field));
        }
    }

    private void compare(String file, String path, Optional<YamlNode> before, Optional<YamlNode> after) {
        String old = before.map(GoJson::text).orElse("");
        String now = after.map(GoJson::text).orElse("");
        if (old.equals(now)) {
            return;
        }
        if (path.equals("plugin") || path.equals("directory")) {
            YamlNode either = after.or(() -> before).orElseThrow();
            for (YamlNode.Entry entry : ((YamlNode.Mapping) either).entries()) {
                compare(
                        file,
                        path + "." + entry.key(),
                        before.flatMap(node -> child(node, entry.key())),
                        after.flatMap(node -> child(node, entry.key())));
            }
        } else {
            changes.add(new Change(file, path, old, now));
        }
    }

    private static Optional<YamlNode> child(YamlNode node, String name) {
        return node instanceof YamlNode.Mapping mapping ? mapping.get(name) : Optional.empty();
    }

    /// The source with everything that was taken over.
    public ApplicationSource result() {
        YamlNode place = YamlNode.map(List.of(
                YamlNode.entry("repoURL", YamlNode.text(original.repoUrl())),
                YamlNode.entry("path", YamlNode.text(original.path())),
                YamlNode.entry("targetRevision", YamlNode.text(original.targetRevision())),
                YamlNode.entry("chart", YamlNode.text(original.chart()))));
        memory.decode(place, "", (node, path, wanted) -> {});
        return SourceFields.read(memory, memory.encode());
    }

    public List<Change> changes() {
        return List.copyOf(changes);
    }
}

package dev.remora.plugin;

import dev.remora.fault.Problem;
import dev.remora.fault.Proposal;
import dev.remora.fault.Where;
import dev.remora.yaml.GoFields;
import dev.remora.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;

/// Keys of a definition that nothing reads. Argo CD ignores them without a word, so they are no faults; a linter shows
/// them. (Those of the `remora` block are faults.)
final class UnreadKeys {
    private static final List<String> COMMAND = List.of("command", "args");
    private static final List<String> ANNOUNCEMENT =
            List.of("name", "title", "tooltip", "required", "itemType", "collectionType", "string", "array", "map");

    private final String file;
    private final List<Problem> notes = new ArrayList<>();

    private UnreadKeys(String file) {
        this.file = file;
    }

    static List<Problem> in(GoFields top, String file) {
        var keys = new UnreadKeys(file);
        GoFields spec = top.object("spec");
        GoFields discover = spec.object("discover");
        GoFields parameters = spec.object("parameters");
        keys.look(top, List.of("apiVersion", "kind", "metadata", "spec", "remora"));
        keys.look(
                spec,
                List.of(
                        "version",
                        "init",
                        "generate",
                        "discover",
                        "parameters",
                        "preserveFileMode",
                        "provideGitCreds"));
        keys.look(spec.object("init"), COMMAND);
        keys.look(spec.object("generate"), COMMAND);
        keys.look(discover, List.of("fileName", "find"));
        keys.look(discover.object("find"), List.of("command", "args", "glob"));
        keys.look(parameters, List.of("static", "dynamic"));
        keys.look(parameters.object("dynamic"), COMMAND);
        parameters.objects("static").forEach(announcement -> keys.look(announcement, ANNOUNCEMENT));
        return keys.notes;
    }

    private void look(GoFields fields, List<String> known) {
        for (YamlNode.Entry entry : fields.unknown(known)) {
            String key = fields.path().isEmpty() ? entry.key() : fields.path() + "." + entry.key();
            notes.add(Problem.at(
                    new Where(file, entry.line(), entry.column()),
                    key + " is not read" + Proposal.question(entry.key(), known)));
        }
    }
}

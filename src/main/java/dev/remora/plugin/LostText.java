package dev.remora.plugin;

import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;

/// What stands in a definition's file and is lost without a word in Argo CD: keys that stand twice, of which the last
/// holds, as when the line `---` between two definitions is missing; and all that follows the first document.
final class LostText {
    private LostText() {}

    static List<Problem> in(YamlReader.First first, String file) {
        List<Problem> notes = new ArrayList<>();
        first.repeated()
                .forEach(key -> notes.add(Problem.at(
                        new Where(file, key.line(), key.column()),
                        key.key() + " stands here again, and what line " + key.firstLine() + " says of it is lost",
                        "write it once, or put a line of three dashes between two documents")));
        if (first.lostLine() > 0) {
            notes.add(Problem.at(
                    new Where(file, first.lostLine(), 1),
                    "what follows from here on is not read: a definition is the first document of its file",
                    "give it a file of its own"));
        }
        return notes;
    }
}

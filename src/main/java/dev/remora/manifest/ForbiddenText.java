package dev.remora.manifest;

import dev.remora.yaml.YamlNode;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Text that no key and no scalar may contain.
///
/// @param what what it is, for a message that must not show it
record ForbiddenText(Predicate<String> matches, String what, String advice) {
    /// Of a key in a path.
    private static final int SHOWN = 80;

    /// Takes the path and line of a place where the text was found.
    interface Found {
        void at(String path, int line);
    }

    /// A node and how it is reached; paths are written out only when something is found.
    private record Step(YamlNode node, Path path) {}

    private record Path(Optional<Path> parent, String key, int index) {
        static final Path ROOT = new Path(Optional.empty(), "", -1);

        Path child(String name) {
            return new Path(Optional.of(this), name, -1);
        }

        Path child(int position) {
            return new Path(Optional.of(this), "", position);
        }

        String text() {
            var parts = new ArrayDeque<String>();
            for (Path path = this;
                    path.parent().isPresent();
                    path = path.parent().get()) {
                parts.addFirst(path.part());
            }
            String all = String.join("", parts);
            return all.isEmpty() ? "the document" : all.startsWith(".") ? all.substring(1) : all;
        }

        private String part() {
            if (index >= 0) {
                return "[" + index + "]";
            }
            String shown = OutputGuard.shortened(key, SHOWN);
            return shown.matches("[\\w-]+") ? "." + shown : "[\"" + shown.replace("\"", "\\\"") + "\"]";
        }
    }

    /// Looks through a tree without recursion; what aliases share is looked at once.
    void find(YamlNode root, boolean aliases, Found found) {
        Set<YamlNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        var steps = new ArrayDeque<Step>();
        steps.push(new Step(root, Path.ROOT));
        while (!steps.isEmpty()) {
            Step step = steps.pop();
            if (aliases && !seen.add(step.node())) {
                continue;
            }
            switch (step.node()) {
                case YamlNode.Mapping mapping -> {
                    for (YamlNode.Entry entry : mapping.entries().reversed()) {
                        if (matches.test(entry.key())) {
                            found.at("a key of " + step.path().text(), entry.line());
                        }
                        steps.push(new Step(entry.value(), step.path().child(entry.key())));
                    }
                }
                case YamlNode.Sequence sequence -> {
                    for (int i = sequence.items().size() - 1; i >= 0; i--) {
                        steps.push(new Step(sequence.items().get(i), step.path().child(i)));
                    }
                }
                case YamlNode.Text text -> report(text.value(), step, found);
                case YamlNode.Number number -> report(number.source(), step, found);
                case YamlNode.Bool bool -> report(bool.source(), step, found);
                case YamlNode.Null _ -> {}
            }
        }
    }

    private void report(String scalar, Step step, Found found) {
        if (matches.test(scalar)) {
            found.at(step.path().text(), step.node().line());
        }
    }
}

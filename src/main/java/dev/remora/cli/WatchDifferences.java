package dev.remora.cli;

import dev.remora.manifest.ObjectPrinter;
import dev.remora.manifest.RenderedObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/// What each Application was in the last round in which it could be rendered, and what is different now. Differences
/// never show the data of Secrets. For one thread.
final class WatchDifferences {
    private static final int AROUND = 3;

    private final Map<String, Texts> last = new HashMap<>();

    /// @param plain tells whether anything changed
    private record Texts(String plain, String masked) {}

    /// Keeps what there is now.
    ///
    /// @return empty where it is the same as before
    Optional<Change> next(String application, List<RenderedObject> objects) {
        Texts now = new Texts(text(objects, false), text(objects, true));
        Optional<Texts> before = Optional.ofNullable(last.put(application, now));
        return before.filter(now::equals).isPresent()
                ? Optional.empty()
                : Optional.of(new Change(application, before.map(Texts::masked), now.masked()));
    }

    private static String text(List<RenderedObject> objects, boolean mask) {
        return ObjectPrinter.text(ObjectPrinter.Form.YAML, objects, mask);
    }

    /// @param before empty where it is rendered for the first time
    record Change(String application, Optional<String> before, String now) {
        /// For people: the lines that differ, with a few around them.
        String text() {
            StringJoiner text = new StringJoiner("\n", "", "\n");
            text.add("--- " + application).add("+++ " + application);
            List<String> lines = LineDiff.of(before.orElse(""), now).lines().toList();
            int shown = -1;
            for (int i = 0; i < lines.size(); i++) {
                if (isNearDifference(lines, i)) {
                    if (shown != i - 1 || i == 0) {
                        text.add("@@");
                    }
                    text.add(lines.get(i));
                    shown = i;
                }
            }
            if (before.filter(now::equals).isPresent()) {
                text.add("the data of Secrets, which is not shown");
            }
            return text.toString();
        }

        private static boolean isNearDifference(List<String> lines, int at) {
            return lines.subList(Math.max(0, at - AROUND), Math.min(lines.size(), at + AROUND + 1)).stream()
                    .anyMatch(line -> !line.startsWith(" "));
        }

        /// For programs: one line.
        ///
        /// @param changed the files that changed before it
        String json(List<String> changed) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("schema", "remora/render-watch/v1");
            json.put("app", application);
            json.put("changed", changed);
            json.put("first", before.isEmpty());
            json.put(
                    "difference",
                    LineDiff.of(before.orElse(""), now)
                            .lines()
                            .filter(line -> !line.startsWith(" "))
                            .toList());
            return JsonDocument.line(json);
        }
    }
}

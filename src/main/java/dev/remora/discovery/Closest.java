package dev.remora.discovery;

import dev.remora.fault.Proposal;
import dev.remora.glob.GlobTree;
import dev.remora.plugin.DiscoverRule;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What came closest to a pattern that nothing matched: a name that is the same or nearly the same as the pattern's
/// last segment, somewhere in the application's folder. For people; decides nothing.
final class Closest {
    /// Names looked at: a hint is not worth a long walk.
    private static final int MOST_NAMES = 5_000;
    /// Fewer letters without wildcards say nothing.
    private static final int FEWEST_LETTERS = 3;

    private final GlobTree tree;
    private final Map<String, Bytes> places = new LinkedHashMap<>();
    private int seen;

    private Closest(GlobTree tree) {
        this.tree = tree;
    }

    /// The verdict, with what came closest if it is a no.
    static Verdict added(Verdict verdict, DiscoverRule rule, Bytes application, GlobTree tree) {
        return switch (verdict) {
            case Verdict.No no -> new Verdict.No(no.reason(), new Closest(tree).to(pattern(rule), application));
            case Verdict.Yes yes -> yes;
            case Verdict.Unasked unasked -> unasked;
        };
    }

    private static String pattern(DiscoverRule rule) {
        return switch (rule) {
            case DiscoverRule.FileName(String pattern) -> pattern;
            case DiscoverRule.FindGlob(String pattern) -> pattern;
            case DiscoverRule.FindCommand command -> "";
        };
    }

    private Optional<String> to(String pattern, Bytes application) {
        List<Bytes> segments = LexicalPath.parts(Bytes.utf8(pattern));
        String wanted = segments.isEmpty()
                ? ""
                : segments.getLast().toString().replaceAll("[*?\\\\]|\\[[^]]*]|\\{[^}]*}|!\\([^)]*\\)", "");
        if (wanted.length() < FEWEST_LETTERS || !tree.isDirectory(application)) {
            return Optional.empty();
        }
        visit(application);
        Optional<String> name = places.containsKey(wanted)
                ? Optional.of(wanted)
                : Proposal.nearest(wanted, List.copyOf(places.keySet()));
        return name.map(found -> PatternJudge.shown(places.getOrDefault(found, Bytes.EMPTY)));
    }

    private boolean visit(Bytes folder) {
        tree.list(folder, (name, kind) -> {
            places.putIfAbsent(name.toString(), folder.slash(name));
            seen++;
            return seen < MOST_NAMES && (kind != GlobTree.Kind.DIRECTORY || visit(folder.slash(name)));
        });
        return seen < MOST_NAMES;
    }
}

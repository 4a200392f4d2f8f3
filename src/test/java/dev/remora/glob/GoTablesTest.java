package dev.remora.glob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/// Ours against what Go's `path/filepath` and go-zglob answered to the same questions, on the same trees.
class GoTablesTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("FOO", "a", "QUO", "(\"a\")", "UP", "..", "PAT", "*b", "HOME", "/x");

    @Test
    void matchesNamesAsGoDoes() {
        var wrong = new ArrayList<String>();
        List<List<Bytes>> rows = GoTable.read("filepath-match.tsv");
        for (List<Bytes> row : rows) {
            String answer =
                    FilePathPattern.of(row.get(0)).match(row.get(1)).name().toLowerCase(Locale.ROOT);
            if (!answer.equals(row.get(2).toString())) {
                wrong.add(row + " but " + answer);
            }
        }
        assertThat(rows).hasSizeGreaterThan(5000);
        assertThat(wrong).isEmpty();
    }

    @Test
    void globsTreesAsGoDoes() {
        assertSame("filepath-glob.tsv", FilePathGlob::glob);
    }

    @Test
    void globsTreesAsZglobDoes() {
        assertSame(
                "zglob.tsv",
                (pattern, tree) -> new ZGlob(pattern, name -> ENVIRONMENT.getOrDefault(name, "")).in(tree));
    }

    private static void assertSame(String table, BiFunction<Bytes, GlobTree, GlobResult> dialect) {
        var wrong = new ArrayList<String>();
        var tree = new FakeTree();
        int questions = 0;
        List<Bytes> treeRow = List.of();
        for (List<Bytes> row : GoTable.read(table)) {
            if (row.getFirst().equals(Bytes.utf8("tree"))) {
                tree = GoTable.tree(row);
                treeRow = row;
                continue;
            }
            questions++;
            Bytes pattern = CleanPath.join(CleanPath.join(FakeTree.ROOT, row.get(0)), row.get(1));
            GlobResult result = dialect.apply(pattern, tree);
            if (!agrees(result, row)) {
                wrong.add(treeRow + "\n    " + row + "\n    but " + result);
            }
        }
        assertThat(questions).isGreaterThan(1500);
        assertThat(wrong).isEmpty();
    }

    private static boolean agrees(GlobResult result, List<Bytes> row) {
        String verdict = row.get(2).toString();
        return switch (result) {
            case GlobResult.Matched(Bytes first) ->
                verdict.equals("yes") && row.subList(3, row.size()).contains(first);
            case GlobResult.Unmatched() -> verdict.equals("no");
            case GlobResult.Failed(String reason) ->
                verdict.equals("error") && row.get(3).toString().equals(reason);
            case GlobResult.Absent(String reason) ->
                verdict.equals("error") && row.get(3).toString().equals(reason);
        };
    }
}

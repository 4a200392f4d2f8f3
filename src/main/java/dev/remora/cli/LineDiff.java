package dev.remora.cli;

import java.util.ArrayList;
import java.util.List;

/// Two texts line by line: `-` only left, `+` only right, a blank where they agree. Small texts by their longest common
/// subsequence; large ones as two blocks between the lines that they begin and end with.
final class LineDiff {
    /// Cells of the table; beyond it the exact answer is not worth its memory.
    private static final long MOST_CELLS = 4_000_000;

    private LineDiff() {}

    static String of(String left, String right) {
        List<String> a = left.lines().toList();
        List<String> b = right.lines().toList();
        int head = 0;
        while (head < Math.min(a.size(), b.size()) && a.get(head).equals(b.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(a.size(), b.size()) - head
                && a.get(a.size() - 1 - tail).equals(b.get(b.size() - 1 - tail))) {
            tail++;
        }
        List<String> out = new ArrayList<>();
        mark(" ", a.subList(0, head), out);
        middle(a.subList(head, a.size() - tail), b.subList(head, b.size() - tail), out);
        mark(" ", a.subList(a.size() - tail, a.size()), out);
        return out.isEmpty() ? "" : String.join("\n", out) + "\n";
    }

    private static void middle(List<String> a, List<String> b, List<String> out) {
        if ((long) (a.size() + 1) * (b.size() + 1) > MOST_CELLS) {
            mark("-", a, out);
            mark("+", b, out);
            return;
        }
        int[][] common = common(a, b);
        int i = 0;
        int j = 0;
        while (i < a.size() && j < b.size()) {
            if (a.get(i).equals(b.get(j))) {
                out.add(" " + a.get(i++));
                j++;
            } else if (common[i + 1][j] >= common[i][j + 1]) {
                out.add("-" + a.get(i++));
            } else {
                out.add("+" + b.get(j++));
            }
        }
        mark("-", a.subList(i, a.size()), out);
        mark("+", b.subList(j, b.size()), out);
    }

    private static int[][] common(List<String> a, List<String> b) {
        int[][] common = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                common[i][j] = a.get(i).equals(b.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }

    private static void mark(String sign, List<String> lines, List<String> out) {
        lines.forEach(line -> out.add(sign + line));
    }
}

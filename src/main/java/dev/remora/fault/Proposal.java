package dev.remora.fault;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// "Did you mean": the known word nearest to a mistyped one.
///
/// Near is a distance (insert, delete, replace, swap of neighbours) of at most a third of the word, without regard to
/// case; farther words would be guesses.
public final class Proposal {
    private static final int LETTERS_PER_MISTAKE = 3;

    private Proposal() {}

    /// The nearest known word, the first of equals; none when all are far.
    public static Optional<String> nearest(String word, Collection<String> known) {
        int allowed = Math.max(1, word.length() / LETTERS_PER_MISTAKE);
        String lower = word.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)) <= allowed)
                .min(Comparator.comparingInt(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT))));
    }

    /// `, did you mean x?`, or nothing.
    public static String question(String word, Collection<String> known) {
        return nearest(word, known).map(near -> ", did you mean " + near + "?").orElse("");
    }

    /// The question, or that there is none, and what the known words are: `, did you mean x? The rows are w, x`.
    public static String questionAndAll(String word, String what, Collection<String> known) {
        String question = question(word, known);
        return (question.isEmpty() ? "; the " : question + " The ") + what + " are " + String.join(", ", known);
    }

    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int step(int[][] cost, String a, String b, int i, int j) {
        int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replace, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}

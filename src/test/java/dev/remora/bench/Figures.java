package dev.remora.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Everything measured: for each line of work the samples of each contestant. Lines keep the order of first mention.
final class Figures {
    private final List<String> contestants;
    private final Map<String, Map<String, List<Double>>> lines = new LinkedHashMap<>();

    Figures(List<String> contestants) {
        this.contestants = List.copyOf(contestants);
    }

    /// Also tells the sample on standard error, so that a long run shows where it is.
    void add(String line, String contestant, double sample) {
        System.err.printf(Locale.ROOT, "%s, %s: %s%n", line, contestant, text(sample));
        lines.computeIfAbsent(line, l -> new LinkedHashMap<>())
                .computeIfAbsent(contestant, c -> new ArrayList<>())
                .add(sample);
    }

    /// A Markdown table of medians; with two contestants also their ratio, the first over the second.
    String table() {
        var table = new StringBuilder("| work | ").append(String.join(" | ", contestants));
        boolean ratio = contestants.size() == 2;
        table.append(ratio ? " | ratio" : "").append(" | samples |\n|---|");
        table.append("---:|".repeat(contestants.size() + (ratio ? 2 : 1))).append('\n');
        lines.forEach((line, samples) -> table.append(row(line, samples, ratio)));
        return table.toString();
    }

    private String row(String line, Map<String, List<Double>> samples, boolean ratio) {
        var row = new StringBuilder("| ").append(line);
        for (String contestant : contestants) {
            List<Double> own = samples.getOrDefault(contestant, List.of());
            row.append(" | ").append(own.isEmpty() ? "–" : text(median(own)));
        }
        if (ratio) {
            List<Double> first = samples.getOrDefault(contestants.get(0), List.of());
            List<Double> second = samples.getOrDefault(contestants.get(1), List.of());
            boolean both = !first.isEmpty() && !second.isEmpty();
            row.append(" | ").append(both ? String.format(Locale.ROOT, "%.2f", median(first) / median(second)) : "–");
        }
        int count = samples.values().stream().mapToInt(List::size).max().orElse(0);
        return row.append(" | ").append(count).append(" |\n").toString();
    }

    static double median(List<Double> samples) {
        List<Double> sorted = samples.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }
}

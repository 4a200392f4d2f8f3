package dev.remora.cli;

import java.util.ArrayList;
import java.util.List;

/// A table for people: columns as wide as their widest cell, three blanks between them, none at a line's end.
final class TextTable {
    private static final String GAP = "   ";

    private TextTable() {}

    static String of(List<String> headings, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>();
        all.add(headings);
        all.addAll(rows);
        StringBuilder text = new StringBuilder();
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                line.append(column == 0 ? "" : GAP).append(HelpText.padded(shown(row.get(column)), width(all, column)));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream()
                .mapToInt(row -> shown(row.get(column)).length())
                .max()
                .orElse(0);
    }

    /// Control characters as escapes, so that a value cannot forge lines or drive the terminal.
    static String shown(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (Character.isISOControl(c)) {
                        out.append("\\u%04x".formatted(c));
                    } else {
                        out.appendCodePoint(c);
                    }
                }
            }
        });
        return out.toString();
    }
}

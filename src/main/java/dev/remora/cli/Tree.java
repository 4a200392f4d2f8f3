package dev.remora.cli;

import java.util.ArrayList;
import java.util.List;

/// Lines below lines, drawn for people.
final class Tree {
    private final String line;
    private final List<Tree> branches = new ArrayList<>();

    Tree(String line) {
        this.line = TextTable.shown(line);
    }

    /// Adds a line below this one, and gives it.
    Tree branch(String text) {
        Tree branch = new Tree(text);
        branches.add(branch);
        return branch;
    }

    String text() {
        StringBuilder text = new StringBuilder(line).append('\n');
        draw(text, "");
        return text.toString();
    }

    private void draw(StringBuilder text, String indent) {
        for (int i = 0; i < branches.size(); i++) {
            boolean last = i == branches.size() - 1;
            text.append(indent)
                    .append(last ? "└─ " : "├─ ")
                    .append(branches.get(i).line)
                    .append('\n');
            branches.get(i).draw(text, indent + (last ? "   " : "│  "));
        }
    }
}

package dev.remora.yaml;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// Writes a tree as block YAML, keys in the order of the tree. What it writes reads back as the same tree, with YAML
/// 1.1
/// and 1.2. No recursion: depth costs no stack.
public final class YamlWriter {
    private static final String INDENT = "  ";

    private final StringBuilder out = new StringBuilder();
    private final ArrayDeque<Level> levels = new ArrayDeque<>();

    /// A collection being written. `inline` says that its first line begins behind a `- `, which is there already.
    private static final class Level {
        final @Nullable Iterator<YamlNode.Entry> entries;
        final @Nullable Iterator<YamlNode> items;
        final int depth;
        boolean inline;

        Level(YamlNode collection, int depth, boolean inline) {
            this.entries = collection instanceof YamlNode.Mapping mapping
                    ? unique(mapping).iterator()
                    : null;
            this.items = collection instanceof YamlNode.Sequence sequence
                    ? sequence.items().iterator()
                    : null;
            this.depth = depth;
            this.inline = inline;
        }

        /// Of equal keys the last one counts; JSON may have them.
        private static Collection<YamlNode.Entry> unique(YamlNode.Mapping mapping) {
            var entries = new LinkedHashMap<String, YamlNode.Entry>();
            for (YamlNode.Entry entry : mapping.entries()) {
                entries.put(entry.key(), entry);
            }
            return entries.values();
        }
    }

    private YamlWriter() {}

    /// One document, with a line feed at the end.
    public static String text(YamlNode root) {
        var writer = new YamlWriter();
        writer.document(root);
        return writer.out.toString();
    }

    private void document(YamlNode root) {
        if (isBlock(root)) {
            levels.addLast(new Level(root, 0, true));
        } else {
            scalar(root, 0);
        }
        while (!levels.isEmpty()) {
            Level level = levels.getLast();
            if (level.entries != null && level.entries.hasNext()) {
                entry(level, level.entries.next());
            } else if (level.items != null && level.items.hasNext()) {
                item(level, level.items.next());
            } else {
                levels.removeLast();
            }
        }
    }

    private void entry(Level level, YamlNode.Entry entry) {
        begin(level);
        if (PlainText.isLongKey(entry.key())) {
            out.append("? ").append(PlainText.quoted(entry.key())).append('\n');
            out.append(INDENT.repeat(level.depth)).append(':');
        } else {
            out.append(text(entry.key())).append(':');
        }
        YamlNode value = entry.value();
        if (!isBlock(value)) {
            out.append(' ');
            scalar(value, level.depth + 1);
            return;
        }
        out.append('\n');
        // as kubectl does, lists stand below their key without indentation
        int depth = value instanceof YamlNode.Sequence ? level.depth : level.depth + 1;
        levels.addLast(new Level(value, depth, false));
    }

    private void item(Level level, YamlNode item) {
        begin(level);
        out.append("- ");
        if (isBlock(item)) {
            levels.addLast(new Level(item, level.depth + 1, true));
        } else {
            scalar(item, level.depth + 1);
        }
    }

    private void begin(Level level) {
        if (level.inline) {
            level.inline = false;
        } else {
            out.repeat(INDENT, level.depth);
        }
    }

    private void scalar(YamlNode node, int depth) {
        switch (node) {
            case YamlNode.Text text when PlainText.fitsBlock(text.value()) -> block(text.value(), depth);
            case YamlNode.Text text -> out.append(text(text.value()));
            case YamlNode.Bool bool -> out.append(bool.value());
            case YamlNode.Number number -> out.append(number.json());
            case YamlNode.Null _ -> out.append("null");
            case YamlNode.Mapping _ -> out.append("{}");
            case YamlNode.Sequence _ -> out.append("[]");
        }
        out.append('\n');
    }

    private static String text(String text) {
        return PlainText.needsNoQuotes(text) ? text : PlainText.quoted(text);
    }

    /// Without the line feed that ends the last line.
    private void block(String text, int depth) {
        int end = text.length();
        while (text.charAt(end - 1) == '\n') {
            end--;
        }
        int newlines = text.length() - end;
        out.append(newlines == 0 ? "|-" : newlines == 1 ? "|" : "|+");
        String indent = INDENT.repeat(Math.max(depth, 1));
        for (String line : text.substring(0, end).split("\n", -1)) {
            out.append('\n');
            if (!line.isEmpty()) {
                out.append(indent).append(line);
            }
        }
        out.repeat('\n', Math.max(0, newlines - 1));
    }

    private static boolean isBlock(YamlNode node) {
        return switch (node) {
            case YamlNode.Mapping mapping -> !mapping.entries().isEmpty();
            case YamlNode.Sequence sequence -> !sequence.items().isEmpty();
            case YamlNode.Text _, YamlNode.Bool _, YamlNode.Number _, YamlNode.Null _ -> false;
        };
    }
}

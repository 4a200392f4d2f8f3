package dev.remora.yaml;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// JSON text as Go's `encoding/json` writes it: compact, keys sorted by their bytes, and `<`, `>`, `&`, U+2028 and
/// U+2029 escaped inside strings. Of equal keys the last one counts.
///
/// Shared subtrees are written wherever they occur, so the text can be much larger than the tree: its size is limited.
public final class GoJson {
    /// Nesting that Go's decoder refuses to read.
    private static final int MAX_DEPTH = 10_000;
    private static final Comparator<YamlNode.Entry> BY_KEY = (a, b) -> GoText.compare(a.key(), b.key());

    private static final String INDENT = "    ";

    private final JsonBuffer out;
    private final boolean indented;
    private final boolean decoded;
    private final ArrayDeque<Level> levels = new ArrayDeque<>();

    /// A collection being written: what is left of it, and how it ends. `entries` or `items` is absent.
    @SuppressWarnings("ArrayRecordComponent") // one flag that changes; levels are never compared
    private record Level(
            @Nullable Iterator<YamlNode.Entry> entries,
            @Nullable Iterator<YamlNode> items,
            boolean[] begun) {}

    private GoJson(JsonBuffer out, boolean indented, boolean decoded) {
        this.out = out;
        this.indented = indented;
        this.decoded = decoded;
    }

    /// The text of a tree of trusted size.
    public static String text(YamlNode node) {
        return new String(bytes(node, Integer.MAX_VALUE), StandardCharsets.UTF_8);
    }

    /// The text of a tree, at most `limit` bytes.
    public static byte[] bytes(YamlNode node, long limit) {
        var buffer = new JsonBuffer(limit);
        new GoJson(buffer, false, false).write(node);
        return buffer.toArray();
    }

    /// As [#bytes], of numbers that Kubernetes decoded before: what is written as an integer stays one if it fits into
    /// 64
    /// bits, all else went through a float64.
    public static byte[] decoded(YamlNode node, long limit) {
        var buffer = new JsonBuffer(limit);
        new GoJson(buffer, false, true).write(node);
        return buffer.toArray();
    }

    /// The text of a tree of trusted size, a line for each value.
    public static String indented(YamlNode node) {
        var buffer = new JsonBuffer(Integer.MAX_VALUE);
        new GoJson(buffer, true, false).write(node);
        return new String(buffer.toArray(), StandardCharsets.UTF_8);
    }

    /// A string in quotes.
    public static String quoted(String value) {
        var buffer = new JsonBuffer(Integer.MAX_VALUE);
        buffer.string(value);
        return new String(buffer.toArray(), StandardCharsets.UTF_8);
    }

    private void write(YamlNode root) {
        value(root);
        while (!levels.isEmpty()) {
            Level level = levels.getLast();
            if (level.entries() != null) {
                nextEntry(level, level.entries());
            } else if (level.items() != null) {
                nextItem(level, level.items());
            }
        }
    }

    private void nextEntry(Level level, Iterator<YamlNode.Entry> entries) {
        if (!entries.hasNext()) {
            close(level, '}');
            return;
        }
        YamlNode.Entry entry = entries.next();
        separate(level);
        out.string(entry.key());
        out.ascii(indented ? ": " : ":");
        value(entry.value());
    }

    private void nextItem(Level level, Iterator<YamlNode> items) {
        if (!items.hasNext()) {
            close(level, ']');
            return;
        }
        YamlNode item = items.next();
        separate(level);
        value(item);
    }

    private void separate(Level level) {
        if (level.begun()[0]) {
            out.mark(',');
        }
        level.begun()[0] = true;
        newLine();
    }

    private void close(Level level, char mark) {
        levels.removeLast();
        if (level.begun()[0]) {
            newLine();
        }
        out.mark(mark);
    }

    private void newLine() {
        if (indented) {
            out.mark('\n');
            for (int i = 0; i < levels.size(); i++) {
                out.ascii(INDENT);
            }
        }
    }

    private void value(YamlNode node) {
        switch (node) {
            case YamlNode.Mapping mapping -> {
                open('{', new Level(sorted(mapping.entries()).iterator(), null, new boolean[1]));
            }
            case YamlNode.Sequence sequence ->
                open('[', new Level(null, sequence.items().iterator(), new boolean[1]));
            case YamlNode.Text text -> out.string(text.value());
            case YamlNode.Bool bool -> out.ascii(bool.value() ? "true" : "false");
            case YamlNode.Number number ->
                out.ascii(finite(number, decoded ? GoNumbers.decoded(number.json()) : number.json()));
            case YamlNode.Null _ -> out.ascii("null");
        }
    }

    private void open(char mark, Level level) {
        if (levels.size() == MAX_DEPTH) {
            throw new Fault(FaultCode.OUTPUT_INVALID, "json: exceeded max depth of " + MAX_DEPTH);
        }
        out.mark(mark);
        levels.addLast(level);
    }

    private static String finite(YamlNode.Number number, String json) {
        if (Character.isLetter(json.charAt(json.length() - 1))) {
            throw new Fault(FaultCode.OUTPUT_INVALID, "json: unsupported value: " + number.json());
        }
        return json;
    }

    private static List<YamlNode.Entry> sorted(List<YamlNode.Entry> entries) {
        var sorted = new ArrayList<>(entries);
        Collections.sort(sorted, BY_KEY);
        for (int i = sorted.size() - 1; i > 0; i--) {
            if (sorted.get(i).key().equals(sorted.get(i - 1).key())) {
                sorted.remove(i - 1);
            }
        }
        return sorted;
    }
}

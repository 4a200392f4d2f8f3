package dev.remora.yaml;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Changes single values of a YAML text, and leaves every other byte of it as it is: comments, order, quotes.
///
/// Each change replaces or adds the few characters that it needs, by the places of the nodes. The text that comes out
/// is
/// read again and compared with the tree that was wanted: what this class does not understand (anchors, tags, keys in
/// several lines) becomes a fault and never a wrong text.
public final class YamlEdit {
    private static final FaultCode CODE = FaultCode.APPLICATION_INVALID;

    private final String file;
    private final int firstLine;
    private final List<Change> changes = new ArrayList<>();
    private String text;
    private YamlNode root;

    /// What was changed, in the terms of a JSON patch (RFC 6902): a value that was there is replaced, else it is added,
    /// with all that had to be made on the way.
    ///
    /// @param path of what was replaced or added; the place behind a list's last item is its number of items
    public record Change(boolean added, List<Step> path, YamlNode value) {}

    /// A step of a path.
    public sealed interface Step {
        record Key(String name) implements Step {}

        /// An item, from 0; the number of items is the place behind the last one.
        record Item(int index) implements Step {}

        static Step key(String name) {
            return new Key(name);
        }

        static Step item(int index) {
            return new Item(index);
        }
    }

    /// @param file as people call it
    /// @param text of one document
    /// @param firstLine what its first line is called
    public YamlEdit(String file, String text, int firstLine) {
        this.file = file;
        this.firstLine = firstLine;
        this.text = text;
        this.root = read(text);
    }

    public String text() {
        return text;
    }

    public YamlNode root() {
        return root;
    }

    /// Gives what is at the path this value. Mappings and the last item on the way are made where they are absent.
    ///
    /// @throws Fault where the text is written in a way that cannot be changed here
    public void set(List<Step> path, YamlNode value) {
        YamlNode wanted = replaced(root, path, value);
        Change change = change(path, value);
        String changed = changed(path, value);
        YamlNode now;
        try {
            now = read(changed);
        } catch (Fault fault) {
            throw refusal(path);
        }
        if (!GoJson.text(now).equals(GoJson.text(wanted))) {
            throw refusal(path);
        }
        text = changed;
        root = now;
        changes.add(change);
    }

    /// All changes so far, in their order.
    public List<Change> changes() {
        return List.copyOf(changes);
    }

    private Change change(List<Step> path, YamlNode value) {
        YamlNode node = root;
        for (int i = 0; i < path.size(); i++) {
            Optional<YamlNode> next = child(node, path.get(i));
            if (next.isEmpty() || (next.get() instanceof YamlNode.Null && i < path.size() - 1)) {
                YamlNode rest = wrapped(path.subList(i + 1, path.size()), value);
                return new Change(next.isEmpty(), List.copyOf(path.subList(0, i + 1)), rest);
            }
            node = next.get();
        }
        return new Change(false, List.copyOf(path), value);
    }

    private Fault refusal(List<Step> path) {
        return new Fault(
                CODE,
                file + " is written in a way that cannot be changed here without touching more; set " + shown(path)
                        + " by hand");
    }

    /// `spec.source.plugin.parameters[2].string`
    public static String shown(List<Step> path) {
        StringBuilder shown = new StringBuilder();
        for (Step step : path) {
            switch (step) {
                case Step.Key(String name) ->
                    shown.append(shown.isEmpty() ? "" : ".").append(name);
                case Step.Item(int index) -> shown.append('[').append(index).append(']');
            }
        }
        return shown.toString();
    }

    private YamlNode read(String changed) {
        byte[] bytes = changed.getBytes(StandardCharsets.UTF_8);
        byte[] padded = java.util.Arrays.copyOf(bytes, bytes.length + YamlReader.PADDING);
        return new YamlReader(file, CODE)
                .first(padded, 0, bytes.length, firstLine)
                .root();
    }

    private String changed(List<Step> path, YamlNode value) {
        YamlNode parent = root;
        boolean inFlow = isFlow(root);
        for (int i = 0; i < path.size(); i++) {
            Optional<YamlNode> child = child(parent, path.get(i));
            if (child.isEmpty() || child.get() instanceof YamlNode.Null) {
                YamlNode rest = wrapped(path.subList(i + 1, path.size()), value);
                return child.isEmpty()
                        ? added(parent, path.get(i), rest, inFlow)
                        : filled(parent, path.get(i), rest, inFlow);
            }
            if (i == path.size() - 1) {
                return exchanged(parent, path.get(i), child.get(), value, inFlow);
            }
            parent = child.get();
            inFlow |= isFlow(parent);
        }
        throw refusal(path);
    }

    private boolean isFlow(YamlNode node) {
        if (node.line() == 0 || !(node instanceof YamlNode.Mapping || node instanceof YamlNode.Sequence)) {
            return false;
        }
        int at = spans().offset(node.line(), node.column());
        return at < text.length() && (text.charAt(at) == '{' || text.charAt(at) == '[');
    }

    private YamlSpans spans() {
        return new YamlSpans(text, firstLine);
    }

    private static Optional<YamlNode> child(YamlNode parent, Step step) {
        return switch (step) {
            case Step.Key(String name) when parent instanceof YamlNode.Mapping mapping -> mapping.get(name);
            case Step.Item(int index)
            when parent instanceof YamlNode.Sequence sequence ->
                index < sequence.items().size() ? Optional.of(sequence.items().get(index)) : Optional.empty();
            case Step.Key _, Step.Item _ -> Optional.empty();
        };
    }

    private static YamlNode wrapped(List<Step> path, YamlNode value) {
        YamlNode node = value;
        for (Step step : path.reversed()) {
            node = switch (step) {
                case Step.Key(String name) -> YamlNode.map(List.of(YamlNode.entry(name, node)));
                case Step.Item _ -> YamlNode.list(List.of(node));
            };
        }
        return node;
    }

    private static YamlNode replaced(YamlNode node, List<Step> path, YamlNode value) {
        if (path.isEmpty()) {
            return value;
        }
        List<Step> rest = path.subList(1, path.size());
        YamlNode below = replaced(child(node, path.getFirst()).orElse(new YamlNode.Null(0, 0)), rest, value);
        return switch (path.getFirst()) {
            case Step.Key(String name) -> {
                List<YamlNode.Entry> entries = new ArrayList<>();
                if (node instanceof YamlNode.Mapping mapping) {
                    mapping.entries().stream()
                            .filter(entry -> !entry.key().equals(name))
                            .forEach(entries::add);
                }
                entries.add(YamlNode.entry(name, below));
                yield YamlNode.map(entries);
            }
            case Step.Item(int index) -> {
                List<YamlNode> items =
                        new ArrayList<>(node instanceof YamlNode.Sequence sequence ? sequence.items() : List.of());
                if (index < items.size()) {
                    items.set(index, below);
                } else {
                    items.add(below);
                }
                yield YamlNode.list(items);
            }
        };
    }

    /// A key or item behind the others.
    private String added(YamlNode parent, Step step, YamlNode value, boolean inFlow) {
        if (parent instanceof YamlNode.Mapping || parent instanceof YamlNode.Sequence) {
            return inFlow ? addedToFlow(parent, step, value) : addedToBlock(parent, step, value);
        }
        return text;
    }

    private String addedToFlow(YamlNode parent, Step step, YamlNode value) {
        int start = spans().offset(parent.line(), parent.column());
        int end = YamlSpans.inlineEnd(text, start, true) - 1;
        int last = end;
        while (last > start + 1 && Character.isWhitespace(text.charAt(last - 1))) {
            last--;
        }
        String comma = last == start + 1 || text.charAt(last - 1) == ',' ? "" : ", ";
        String key = step instanceof Step.Key(String name) ? GoJson.quoted(name) + ": " : "";
        return text.substring(0, last) + comma + key + GoJson.text(value) + text.substring(last);
    }

    private String addedToBlock(YamlNode parent, Step step, YamlNode value) {
        boolean sequence = parent instanceof YamlNode.Sequence;
        int end = spans().blockEnd(parent.line(), parent.column(), sequence);
        YamlNode one = switch (step) {
            case Step.Key(String name) -> YamlNode.map(List.of(YamlNode.entry(name, value)));
            case Step.Item _ -> YamlNode.list(List.of(value));
        };
        String before = text.substring(0, end);
        String newLine = newLine();
        String gap = before.isEmpty() || before.endsWith("\n") ? "" : newLine;
        return before + gap + block(one, parent.column() - 1, newLine) + text.substring(end);
    }

    private static String block(YamlNode node, int indent, String newLine) {
        StringBuilder block = new StringBuilder();
        YamlWriter.text(node)
                .lines()
                .forEach(line -> block.append(line.isEmpty() ? "" : " ".repeat(indent))
                        .append(line)
                        .append(newLine));
        return block.toString();
    }

    /// A value where there is a key with nothing or null behind it.
    private String filled(YamlNode parent, Step step, YamlNode value, boolean inFlow) {
        if (!(parent instanceof YamlNode.Mapping mapping) || !(step instanceof Step.Key(String name)) || inFlow) {
            return text;
        }
        int colon = colon(mapping, name);
        int from = colon + 1;
        while (from < text.length() && (text.charAt(from) == ' ' || text.charAt(from) == '\t')) {
            from++;
        }
        boolean written = from < text.length() && text.charAt(from) != '#';
        int end = written ? YamlSpans.inlineEnd(text, from, false) : from;
        return isCollection(value)
                ? text.substring(0, colon + 1)
                        + text.substring(written ? end : colon + 1, lineEnd(end))
                        + newLineAt(end)
                        + below(parent, value)
                        + text.substring(nextLine(end))
                : text.substring(0, colon + 1) + " " + inline(value) + (written || from == colon + 1 ? "" : " ")
                        + text.substring(end);
    }

    private int colon(YamlNode.Mapping mapping, String name) {
        YamlNode.Entry entry = mapping.entries().stream()
                .filter(each -> each.key().equals(name))
                .findFirst()
                .orElseThrow();
        int key = spans().offset(entry.line(), entry.column());
        boolean quoted = text.charAt(key) == '"' || text.charAt(key) == '\'';
        return text.indexOf(':', quoted ? YamlSpans.inlineEnd(text, key, false) : key);
    }

    /// Another value where there is one.
    private String exchanged(YamlNode parent, Step step, YamlNode old, YamlNode value, boolean inFlow) {
        int start = spans().offset(old.line(), old.column());
        boolean block = (old instanceof YamlNode.Mapping || old instanceof YamlNode.Sequence) && !isFlow(old);
        if (inFlow) {
            int end = YamlSpans.inlineEnd(text, start, true);
            return text.substring(0, start) + GoJson.text(value) + text.substring(end);
        }
        char first = text.charAt(start);
        if (!block && first != '|' && first != '>' && !isCollection(value)) {
            return text.substring(0, start) + inline(value) + text.substring(YamlSpans.inlineEnd(text, start, false));
        }
        if (!(parent instanceof YamlNode.Mapping mapping) || !(step instanceof Step.Key(String name))) {
            return text;
        }
        int end = block
                ? spans().blockEnd(old.line(), old.column(), old instanceof YamlNode.Sequence)
                : first == '|' || first == '>'
                        ? spans().blockEnd(old.line(), parent.column() + 1, false)
                        : nextLine(YamlSpans.inlineEnd(text, start, false));
        int colon = colon(mapping, name);
        return isCollection(value)
                ? text.substring(0, block ? lineEnd(colon) : colon + 1)
                        + newLineAt(colon)
                        + below(parent, value)
                        + text.substring(end)
                : text.substring(0, colon + 1) + " " + inline(value) + newLineAt(colon) + text.substring(end);
    }

    /// The lines of a collection below its key.
    private String below(YamlNode parent, YamlNode value) {
        int indent = parent.column() - 1;
        return block(value, value instanceof YamlNode.Sequence ? indent : indent + 2, newLine());
    }

    private String newLine() {
        return text.contains("\r\n") ? "\r\n" : "\n";
    }

    private String newLineAt(int offset) {
        int end = text.indexOf('\n', offset);
        return end > 0 && text.charAt(end - 1) == '\r' ? "\r\n" : "\n";
    }

    /// The end of the line's visible text.
    private int lineEnd(int offset) {
        int end = text.indexOf('\n', offset);
        int last = end < 0 ? text.length() : end;
        return last > 0 && text.charAt(last - 1) == '\r' ? last - 1 : last;
    }

    private int nextLine(int offset) {
        int end = text.indexOf('\n', offset);
        return end < 0 ? text.length() : end + 1;
    }

    private static boolean isCollection(YamlNode value) {
        return switch (value) {
            case YamlNode.Mapping mapping -> !mapping.entries().isEmpty();
            case YamlNode.Sequence sequence -> !sequence.items().isEmpty();
            case YamlNode.Text _, YamlNode.Bool _, YamlNode.Number _, YamlNode.Null _ -> false;
        };
    }

    private static String inline(YamlNode value) {
        String text = YamlWriter.text(value).stripTrailing();
        return text.indexOf('\n') < 0 ? text : GoJson.text(value);
    }
}

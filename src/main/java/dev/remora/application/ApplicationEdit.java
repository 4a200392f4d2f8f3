package dev.remora.application;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Where;
import dev.remora.yaml.YamlEdit;
import dev.remora.yaml.YamlEdit.Step;
import dev.remora.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Changes one Application in a file that may hold several, and leaves everything else of the file as it is, comments
/// included.
public final class ApplicationEdit {
    private final String before;
    private final YamlEdit document;
    private final String after;
    private final List<Step> application;

    private ApplicationEdit(String before, YamlEdit document, String after, List<Step> application) {
        this.before = before;
        this.document = document;
        this.after = after;
        this.application = List.copyOf(application);
    }

    /// An edit of the Application that stands at a place of a file.
    ///
    /// @param text the whole file
    /// @param where the Application's beginning, as it was read from this text
    public static ApplicationEdit of(String text, Where where) {
        List<String> lines = List.of(text.split("(?<=\n)", -1));
        int first = Math.min(where.line(), lines.size()) - 1;
        while (first > 0 && !isBorder(lines.get(first))) {
            first--;
        }
        int begin = isBorder(lines.get(first)) && lines.get(first).startsWith(".") ? first + 1 : first;
        int end = begin + 1;
        while (end < lines.size() && !isBorder(lines.get(end))) {
            end++;
        }
        YamlEdit document = new YamlEdit(where.file(), String.join("", lines.subList(begin, end)), begin + 1);
        List<Step> path = find(document.root(), where, List.of())
                .orElseThrow(() -> new Fault(
                        FaultCode.APPLICATION_INVALID,
                        where + ": the Application is not there any more; read it anew"));
        return new ApplicationEdit(
                String.join("", lines.subList(0, begin)),
                document,
                String.join("", lines.subList(end, lines.size())),
                path);
    }

    private static boolean isBorder(String line) {
        return (line.startsWith("---") || line.startsWith("...")) && (line.length() == 3 || line.charAt(3) <= ' ');
    }

    /// Lists of Applications hold them as items, also in lists.
    private static Optional<List<Step>> find(YamlNode node, Where where, List<Step> path) {
        if (!(node instanceof YamlNode.Mapping mapping)) {
            return Optional.empty();
        }
        if (ApplicationReader.isApplication(node)) {
            return Math.max(1, node.line()) == where.line() && Math.max(1, node.column()) == where.column()
                    ? Optional.of(path)
                    : Optional.empty();
        }
        if (mapping.get("items").orElse(node) instanceof YamlNode.Sequence list) {
            for (int i = 0; i < list.items().size(); i++) {
                List<Step> item = new ArrayList<>(path);
                item.add(Step.key("items"));
                item.add(Step.item(i));
                Optional<List<Step>> found = find(list.items().get(i), where, item);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /// The whole file.
    public String text() {
        return before + document.text() + after;
    }

    /// What was changed in the Application itself, in the terms of a JSON patch.
    ///
    /// @param op `add` or `replace`
    /// @param path a JSON pointer
    public record Operation(String op, String path, YamlNode value) {}

    /// All changes so far, in their order.
    public List<Operation> operations() {
        return document.changes().stream()
                .map(change -> new Operation(
                        change.added() ? "add" : "replace",
                        pointer(change.path()
                                .subList(application.size(), change.path().size())),
                        change.value()))
                .toList();
    }

    private static String pointer(List<Step> path) {
        StringBuilder pointer = new StringBuilder();
        for (Step step : path) {
            switch (step) {
                case Step.Key(String name) ->
                    pointer.append('/').append(name.replace("~", "~0").replace("/", "~1"));
                case Step.Item(int index) -> pointer.append('/').append(index);
            }
        }
        return pointer.toString();
    }

    /// Sets an annotation.
    public void annotate(String name, String value) {
        set(List.of(Step.key("metadata"), Step.key("annotations"), Step.key(name)), YamlNode.text(value));
    }

    /// Sets parameters of a source's plugin; each kind that a parameter carries replaces what the Application says of
    /// this kind, its other kinds and the other parameters stay.
    ///
    /// @param source from 0
    public void setParameters(int source, boolean several, List<PluginParameter> parameters) {
        List<Step> list = new ArrayList<>(List.of(Step.key("spec")));
        if (several) {
            list.add(Step.key("sources"));
            list.add(Step.item(source));
        } else {
            list.add(Step.key("source"));
        }
        list.add(Step.key("plugin"));
        list.add(Step.key("parameters"));
        parameters.forEach(parameter -> set(list, parameter));
    }

    private void set(List<Step> list, PluginParameter parameter) {
        List<YamlNode> items = items(at(list));
        int index = 0;
        while (index < items.size() && !isNamed(items.get(index), parameter.name())) {
            index++;
        }
        List<Step> item = with(list, Step.item(index));
        if (index == items.size()) {
            set(item, whole(parameter));
            return;
        }
        parameter.string().ifPresent(value -> set(with(item, Step.key("string")), YamlNode.text(value)));
        parameter.array().ifPresent(values -> setArray(with(item, Step.key("array")), values));
        parameter
                .map()
                .ifPresent(map -> map.forEach((key, value) ->
                        set(with(with(item, Step.key("map")), Step.key(key)), YamlNode.text(value))));
    }

    /// Item by item, so that comments between them stay; a list that becomes shorter is written anew.
    private void setArray(List<Step> path, List<String> values) {
        List<YamlNode> old = items(at(path));
        if (old.isEmpty() || old.size() > values.size()) {
            set(path, YamlNode.list(values.stream().map(YamlNode::text).toList()));
            return;
        }
        for (int i = 0; i < values.size(); i++) {
            boolean same = i < old.size()
                    && old.get(i) instanceof YamlNode.Text text
                    && text.value().equals(values.get(i));
            if (!same) {
                set(with(path, Step.item(i)), YamlNode.text(values.get(i)));
            }
        }
    }

    private static boolean isNamed(YamlNode item, String name) {
        return item instanceof YamlNode.Mapping mapping
                && mapping.text("name").filter(name::equals).isPresent();
    }

    private static YamlNode whole(PluginParameter parameter) {
        List<YamlNode.Entry> entries = new ArrayList<>();
        entries.add(YamlNode.entry("name", YamlNode.text(parameter.name())));
        parameter.string().ifPresent(value -> entries.add(YamlNode.entry("string", YamlNode.text(value))));
        parameter
                .array()
                .ifPresent(values -> entries.add(YamlNode.entry(
                        "array",
                        YamlNode.list(values.stream().map(YamlNode::text).toList()))));
        parameter.map().ifPresent(map -> {
            List<YamlNode.Entry> below = new ArrayList<>();
            map.forEach((key, value) -> below.add(YamlNode.entry(key, YamlNode.text(value))));
            entries.add(YamlNode.entry("map", YamlNode.map(below)));
        });
        return YamlNode.map(entries);
    }

    private void set(List<Step> path, YamlNode value) {
        List<Step> whole = new ArrayList<>(application);
        whole.addAll(path);
        document.set(whole, value);
    }

    private YamlNode at(List<Step> path) {
        List<Step> whole = new ArrayList<>(application);
        whole.addAll(path);
        YamlNode node = document.root();
        for (Step step : whole) {
            Optional<YamlNode> next = switch (step) {
                case Step.Key(String name) ->
                    node instanceof YamlNode.Mapping mapping ? mapping.get(name) : Optional.empty();
                case Step.Item(int index) ->
                    node instanceof YamlNode.Sequence list
                                    && index < list.items().size()
                            ? Optional.of(list.items().get(index))
                            : Optional.empty();
            };
            if (next.isEmpty()) {
                return YamlNode.map(List.of());
            }
            node = next.get();
        }
        return node;
    }

    private static List<YamlNode> items(YamlNode node) {
        return node instanceof YamlNode.Sequence list ? list.items() : List.of();
    }

    private static List<Step> with(List<Step> path, Step step) {
        List<Step> longer = new ArrayList<>(path);
        longer.add(step);
        return longer;
    }
}

package dev.remora.application;

import dev.remora.application.Shape.Any;
import dev.remora.application.Shape.Flag;
import dev.remora.application.Shape.ListOf;
import dev.remora.application.Shape.Struct;
import dev.remora.application.Shape.Text;
import dev.remora.application.Shape.TextMap;
import dev.remora.yaml.GoJson;
import dev.remora.yaml.GoText;
import dev.remora.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A value of Go's in memory, and what `encoding/json` does to it. Decoding writes *over* what is there: a key that is
/// missing in the text changes nothing, and the elements of a list are written over the old ones, which stay in memory
/// behind the end of a list that became shorter.
///
/// Argo CD reads `.argocd-source.yaml` onto the Application's source in this way, and plugins see the results
/// (docs/spec/application.md, "Source overrides").
final class GoMemory {
    private final Shape shape;
    private boolean present;
    private String text = "";
    private boolean flag;
    private @Nullable YamlNode any;
    private final Map<String, GoMemory> fields = new LinkedHashMap<>();
    private final TreeMap<String, String> texts = new TreeMap<>();
    private final List<GoMemory> slots = new ArrayList<>();
    private int length;

    GoMemory(Shape shape) {
        this.shape = shape;
        if (shape instanceof Struct struct) {
            struct.fields().forEach((name, field) -> fields.put(name, new GoMemory(field)));
        }
    }

    /// Told what does not fit.
    interface Problems {
        void wrong(YamlNode node, String path, String wanted);
    }

    /// Writes `node` over this value.
    ///
    /// @param path how the value is called in problems
    void decode(YamlNode node, String path, Problems problems) {
        if (node instanceof YamlNode.Null) {
            forget();
            return;
        }
        switch (shape) {
            case Text kind -> decodeText(node, path, problems);
            case Flag kind -> decodeFlag(node, path, problems);
            case ListOf kind -> decodeList(kind, node, path, problems);
            case TextMap kind -> decodeMap(node, path, problems);
            case Struct kind -> decodeStruct(kind, node, path, problems);
            case Any kind -> {
                any = node;
                present = true;
            }
        }
    }

    /// `null` empties pointers, lists and maps and leaves the rest alone. A list or map that may be absent is there
    /// and empty then: upstream's types say so.
    private void forget() {
        switch (shape) {
            case Text(boolean optional) -> present = present && !optional;
            case ListOf(Shape item, boolean optional) -> {
                slots.clear();
                length = 0;
                present = optional;
            }
            case TextMap(boolean optional) -> {
                texts.clear();
                present = optional;
            }
            case Any kind -> present = false;
            case Struct kind -> {
                if (kind.optional()) {
                    present = false;
                    kind.fields().forEach((name, field) -> fields.put(name, new GoMemory(field)));
                }
            }
            case Flag kind -> {}
        }
    }

    private void decodeText(YamlNode node, String path, Problems problems) {
        if (node instanceof YamlNode.Text value) {
            text = value.value();
            present = true;
        } else {
            problems.wrong(node, path, "string");
        }
    }

    private void decodeFlag(YamlNode node, String path, Problems problems) {
        if (node instanceof YamlNode.Bool value) {
            flag = value.value();
        } else {
            problems.wrong(node, path, "bool");
        }
    }

    private void decodeList(ListOf kind, YamlNode node, String path, Problems problems) {
        if (!(node instanceof YamlNode.Sequence list)) {
            problems.wrong(node, path, "list");
            return;
        }
        present = true;
        length = list.items().size();
        if (length == 0) {
            slots.clear();
        }
        for (int i = 0; i < length; i++) {
            if (i == slots.size()) {
                slots.add(new GoMemory(kind.item()));
            }
            slots.get(i).decode(list.items().get(i), path + "[" + i + "]", problems);
        }
    }

    private void decodeMap(YamlNode node, String path, Problems problems) {
        if (!(node instanceof YamlNode.Mapping mapping)) {
            problems.wrong(node, path, "object of strings");
            return;
        }
        present = true;
        for (YamlNode.Entry entry : mapping.entries()) {
            switch (entry.value()) {
                case YamlNode.Text value -> texts.put(entry.key(), value.value());
                case YamlNode.Null nothing -> texts.put(entry.key(), "");
                default -> problems.wrong(entry.value(), path + "." + entry.key(), "string");
            }
        }
    }

    private void decodeStruct(Struct kind, YamlNode node, String path, Problems problems) {
        if (!(node instanceof YamlNode.Mapping mapping)) {
            problems.wrong(node, path, "object");
            return;
        }
        present = true;
        for (YamlNode.Entry entry : sorted(mapping.entries())) {
            kind.named(entry.key())
                    .ifPresent(name ->
                            field(name).decode(entry.value(), path.isEmpty() ? name : path + "." + name, problems));
        }
    }

    /// Upstream sorts the keys of YAML on its way to JSON.
    private static List<YamlNode.Entry> sorted(List<YamlNode.Entry> entries) {
        return entries.stream()
                .sorted((a, b) -> GoText.compare(a.key(), b.key()))
                .toList();
    }

    /// What Go writes of it: empty fields are left out, but for those that are always written.
    YamlNode encode() {
        return switch (shape) {
            case Text kind -> YamlNode.text(text);
            case Flag kind -> new YamlNode.Bool(flag, String.valueOf(flag), 0, 0);
            case ListOf kind ->
                YamlNode.list(items().stream().map(GoMemory::encodeItem).toList());
            case TextMap kind ->
                YamlNode.map(texts.entrySet().stream()
                        .map(entry -> YamlNode.entry(entry.getKey(), YamlNode.text(entry.getValue())))
                        .toList());
            case Any kind -> any == null ? YamlNode.map(List.of()) : any;
            case Struct kind ->
                YamlNode.map(fields.entrySet().stream()
                        .filter(entry -> kind.always().contains(entry.getKey())
                                || !entry.getValue().isEmpty())
                        .map(entry ->
                                YamlNode.entry(entry.getKey(), entry.getValue().encode()))
                        .toList());
        };
    }

    private YamlNode encodeItem() {
        boolean gone = shape instanceof Struct struct && struct.optional() && !present;
        return gone ? new YamlNode.Null(0, 0) : encode();
    }

    private boolean isEmpty() {
        return switch (shape) {
            case Text(boolean optional) -> optional ? !present : text.isEmpty();
            case Flag kind -> !flag;
            case ListOf(Shape item, boolean optional) -> optional ? !present : length == 0;
            case TextMap(boolean optional) -> optional ? !present : texts.isEmpty();
            case Struct kind -> !present;
            case Any kind -> !present;
        };
    }

    /// A field of an object.
    GoMemory field(String name) {
        GoMemory field = fields.get(name);
        if (field == null) {
            throw new IllegalArgumentException("no field " + name);
        }
        return field;
    }

    boolean isPresent() {
        return present;
    }

    boolean flag() {
        return flag;
    }

    String text() {
        return text;
    }

    Optional<String> optionalText() {
        return present ? Optional.of(text) : Optional.empty();
    }

    /// The elements of a list.
    List<GoMemory> items() {
        return List.copyOf(slots.subList(0, length));
    }

    Optional<List<String>> optionalTexts() {
        return present ? Optional.of(items().stream().map(GoMemory::text).toList()) : Optional.empty();
    }

    Optional<Map<String, String>> optionalTextMap() {
        return present ? Optional.of(new TreeMap<>(texts)) : Optional.empty();
    }

    /// For comparing and showing.
    String json() {
        return GoJson.text(encode());
    }
}

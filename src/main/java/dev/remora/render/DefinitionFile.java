package dev.remora.render;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.PluginDefinitionReader;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A YAML file in which plugins are defined: by a definition, or by ConfigMaps that carry definitions in their
/// `data`, as they are mounted into a sidecar. Other objects of a file are none of ours.
final class DefinitionFile {
    /// A ConfigMap holds 1 MiB; a file may hold several.
    private static final int MOST_BYTES = 4 << 20;

    private static final String KIND = "ConfigManagementPlugin";
    /// The line that begins a text whose lines stand in the file as they are.
    private static final Pattern BLOCK = Pattern.compile(".*[|][-+0-9]*\\s*(#.*)?");

    private final String shown;
    private final byte[] text;
    private final List<KnownPlugin> found = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private FaultCode code = FaultCode.CONFIG_INVALID;

    private DefinitionFile(String shown, byte[] text) {
        this.shown = shown;
        this.text = text;
    }

    /// The plugins of a file.
    ///
    /// @param meant whether the file is nothing if it defines no plugin
    /// @throws Fault with everything that is wrong in the file
    static List<KnownPlugin> read(Path file, String shown, boolean meant) {
        DefinitionFile reading = new DefinitionFile(shown, bytes(file, shown));
        String all = new String(reading.text, StandardCharsets.UTF_8);
        if (!all.contains(KIND)) {
            if (meant) {
                reading.single();
            }
            return List.copyOf(reading.found);
        }
        reading.documents();
        if (meant && reading.found.isEmpty() && reading.problems.isEmpty()) {
            reading.single();
        }
        if (!reading.problems.isEmpty()) {
            throw new Fault(reading.code, reading.problems);
        }
        return List.copyOf(reading.found);
    }

    private static byte[] bytes(Path file, String shown) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] all = in.readNBytes(MOST_BYTES + 1);
            if (all.length > MOST_BYTES) {
                throw new Fault(FaultCode.CONFIG_UNREADABLE, shown + " is larger than 4 MiB");
            }
            return all;
        } catch (IOException e) {
            String why = e instanceof NoSuchFileException ? "no such file" : Fault.words(e);
            throw new Fault(FaultCode.CONFIG_UNREADABLE, shown + " cannot be read: " + why, e);
        }
    }

    /// The first document is all that a `plugin.yaml` has for Argo CD.
    private void single() {
        found.add(new KnownPlugin.Definition(PluginDefinitionReader.read(text, shown), shown));
    }

    private void documents() {
        YamlReader reader = new YamlReader(shown, FaultCode.CONFIG_INVALID);
        byte[] padded = Arrays.copyOf(text, text.length + YamlReader.PADDING);
        int line = 1;
        try {
            while (true) {
                YamlReader.First document = reader.first(padded, offset(line), text.length, line);
                object(document.root(), line);
                if (document.lostLine() <= line) {
                    return;
                }
                line = document.lostLine();
            }
        } catch (Fault fault) {
            problems.addAll(fault.problems());
        }
    }

    private int offset(int line) {
        int at = 0;
        for (int seen = 1; seen < line && at < text.length; at++) {
            seen += text[at] == '\n' ? 1 : 0;
        }
        return at;
    }

    private void object(YamlNode node, int line) {
        if (!(node instanceof YamlNode.Mapping object)) {
            return;
        }
        switch (object.text("kind").orElse("")) {
            case KIND -> definition(line);
            case "ConfigMap" -> configMap(object);
            case "List", "ConfigMapList" -> {
                if (object.get("items").orElse(node) instanceof YamlNode.Sequence items) {
                    items.items().forEach(this::item);
                }
            }
            default -> {}
        }
    }

    private void item(YamlNode node) {
        if (node instanceof YamlNode.Mapping object
                && object.text("kind").filter("ConfigMap"::equals).isPresent()) {
            configMap(object);
        }
    }

    private void definition(int line) {
        byte[] own = Arrays.copyOfRange(text, offset(line), text.length);
        take(() -> PluginDefinitionReader.read(own, shown), shown, where -> moved(where, line - 1, 0));
    }

    private void configMap(YamlNode.Mapping object) {
        if (!(object.get("data").orElse(object) instanceof YamlNode.Mapping data)) {
            return;
        }
        for (YamlNode.Entry entry : data.entries()) {
            if (entry.value() instanceof YamlNode.Text value && defines(entry.key(), value)) {
                String from = shown + " (" + entry.key() + ")";
                byte[] own = value.value().getBytes(StandardCharsets.UTF_8);
                take(() -> PluginDefinitionReader.read(own, from), from, where -> within(value, where));
            }
        }
    }

    /// Where a place of a text stands in the file: exactly, where the text is written as a block.
    private Where within(YamlNode.Text value, Where where) {
        if (!BLOCK.matcher(line(value.line())).matches()) {
            return new Where(shown, value.line(), value.column());
        }
        int indent = line(value.line() + 1).length()
                - value.value().lines().findFirst().orElse("").length();
        return moved(where, value.line(), indent);
    }

    private static boolean defines(String key, YamlNode.Text value) {
        return key.equals(PluginFiles.FILE)
                || ((key.endsWith(".yaml") || key.endsWith(".yml"))
                        && value.value().contains(KIND));
    }

    private String line(int number) {
        int from = offset(number);
        int to = from;
        while (to < text.length && text[to] != '\n') {
            to++;
        }
        return new String(text, from, to - from, StandardCharsets.UTF_8);
    }

    private Where moved(Where where, int lines, int columns) {
        return where.line() == 0 ? Where.file(shown) : new Where(shown, where.line() + lines, where.column() + columns);
    }

    private interface Reading {
        PluginDefinition read();
    }

    private interface Place {
        Where of(Where within);
    }

    private void take(Reading reading, String from, Place place) {
        try {
            found.add(new KnownPlugin.Definition(reading.read(), from));
        } catch (Fault fault) {
            code = problems.isEmpty() ? fault.code() : code;
            fault.problems()
                    .forEach(problem -> problems.add(new Problem(
                            problem.where().map(place::of).or(Optional::empty), problem.message(), problem.advice())));
        }
    }
}

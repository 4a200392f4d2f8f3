package dev.remora.manifest;

import dev.remora.fault.FaultCode;
import dev.remora.manifest.RenderedObject.ObjectName;
import dev.remora.manifest.RenderedObject.Place;
import dev.remora.yaml.GoJson;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/// Prints the objects of one Application after another for people and programs, holding none of them longer than it
/// takes
/// (a table: its rows). Not for several threads.
public final class ObjectPrinter {
    private static final JsonReader READER = new JsonReader("object", FaultCode.INTERNAL);
    private static final String ITEM_INDENT = "        ";

    private final Form form;
    private final boolean mask;
    private final Consumer<String> out;
    private final List<List<String>> rows = new ArrayList<>();
    private final Set<String> applications = new LinkedHashSet<>();
    private boolean begun;

    /// The forms of `-o`.
    public enum Form {
        YAML,
        JSON,
        NAME,
        WIDE;

        /// Of the word that people write.
        public static Form of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /// @param mask whether the data of Secrets is hidden
    public ObjectPrinter(Form form, boolean mask, Consumer<String> out) {
        this.form = form;
        this.mask = mask;
        this.out = out;
    }

    /// The text of the objects of one Application.
    public static String text(Form form, List<RenderedObject> objects, boolean mask) {
        StringBuilder text = new StringBuilder();
        ObjectPrinter printer = new ObjectPrinter(form, mask, text::append);
        printer.print("", objects);
        printer.finish();
        return text.toString();
    }

    /// Prints the objects of one more Application.
    ///
    /// @param application names the objects' Application in a table of several
    public void print(String application, List<RenderedObject> objects) {
        applications.add(application);
        for (RenderedObject object : objects) {
            switch (form) {
                case YAML -> out.accept((begun ? "---\n" : "") + YamlWriter.text(read(object)));
                case JSON -> out.accept((begun ? ",\n" : listBegin()) + item(object));
                case NAME -> out.accept(shown(resource(object.name())) + "\n");
                case WIDE -> rows.add(row(application, object));
            }
            begun = true;
        }
    }

    /// What stands behind the last object. Call it once.
    public void finish() {
        switch (form) {
            case YAML, NAME -> {}
            case JSON -> out.accept(begun ? "\n    ],\n    \"kind\": \"List\"\n}\n" : EMPTY_LIST);
            case WIDE -> out.accept(table());
        }
    }

    private static final String EMPTY_LIST =
            "{\n    \"apiVersion\": \"v1\",\n    \"items\": [],\n    \"kind\": \"List\"\n}\n";

    private static String listBegin() {
        return "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n";
    }

    private String item(RenderedObject object) {
        return ITEM_INDENT + GoJson.indented(read(object)).replace("\n", "\n" + ITEM_INDENT);
    }

    private static String resource(ObjectName name) {
        String kind = name.kind().toLowerCase(Locale.ROOT);
        return (name.group().isEmpty() ? kind : kind + "." + name.group()) + "/" + name.name();
    }

    private static List<String> row(String application, RenderedObject object) {
        ObjectName name = object.name();
        return List.of(
                shown(application),
                shown(name.namespace()),
                shown(name.name()),
                shown(name.kind()),
                shown(name.apiVersion()),
                shown(from(object.place())));
    }

    private static String from(Place place) {
        if (place.line() == 0) {
            return place.file().isEmpty() ? "document " + place.document() : place.file();
        }
        return place.file().isEmpty() ? "line " + place.line() : place.file() + ":" + place.line();
    }

    /// The Application's column only where there are several.
    private String table() {
        List<List<String>> all = new ArrayList<>();
        all.add(List.of("APPLICATION", "NAMESPACE", "NAME", "KIND", "APIVERSION", "FROM"));
        all.addAll(rows);
        int from = applications.size() > 1 ? 0 : 1;
        return ManifestPrinter.table(
                all.stream().map(row -> row.subList(from, row.size())).toList());
    }

    /// Control characters as escapes, so that a name cannot forge lines or drive the terminal.
    private static String shown(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c)) {
                shown.append("\\u%04x".formatted(c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    private YamlNode read(RenderedObject object) {
        YamlNode root = READER.read(object.json());
        return mask ? SecretMask.masked(root) : root;
    }
}

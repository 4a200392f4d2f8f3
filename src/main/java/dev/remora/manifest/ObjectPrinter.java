package dev.remora.manifest;

import java.util.List;

/// Prints objects for people and programs.
public final class ObjectPrinter {
    private ObjectPrinter() {}

    /// The forms of `-o`.
    public enum Form {
        YAML,
        JSON,
        NAME,
        WIDE
    }

    /// The text of all objects. The forms of several calls cannot be joined, except [Form#YAML] with `---` lines
    /// between, and [Form#NAME].
    ///
    /// @param mask whether the data of Secrets is hidden
    public static String text(Form form, List<RenderedObject> objects, boolean mask) {
        return form + objects.toString() + mask;
    }
}

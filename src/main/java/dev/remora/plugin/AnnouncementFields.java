package dev.remora.plugin;

import dev.remora.yaml.GoFields;

/// Reads an announcement from its fields, the same for `spec.parameters.static` and for what a dynamic command prints.
public final class AnnouncementFields {
    private AnnouncementFields() {}

    /// What does not fit goes to the problems that `fields` carries.
    public static ParameterAnnouncement read(GoFields fields) {
        return new ParameterAnnouncement(
                fields.text("name"),
                fields.text("title"),
                fields.text("tooltip"),
                fields.bool("required"),
                fields.text("itemType"),
                fields.text("collectionType"),
                fields.text("string"),
                fields.texts("array"),
                fields.textMap("map"));
    }
}

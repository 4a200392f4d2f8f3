package dev.remora.cli;

import java.util.List;
import java.util.Locale;

/// One setting, declared once: help, completion, documentation and every way to give it are made from this record.
///
/// Its value comes from the first of: the flag, the variable `REMORA_<FLAG>`, further variables (Argo CD's own names),
/// `.remora.yaml` at the repository's root, the default.
///
/// @param key the flag without its dashes, and the key in `.remora.yaml`
/// @param letter the one-letter flag, or empty
/// @param placeholder what help shows for the value; empty for switches
/// @param fallback the default as text; empty when there is none
/// @param sentence what it does, without a full stop
/// @param variables variables beside `REMORA_<FLAG>`, asked after it; a value they hold that is not valid is ignored,
///     as Argo CD does
/// @param choices the allowed values of a [SettingKind#CHOICE]
/// @param places where it may be given
record Setting(
        String key,
        SettingKind kind,
        String letter,
        String placeholder,
        String fallback,
        String sentence,
        List<String> variables,
        List<String> choices,
        Places places) {

    /// Where a setting may be given beside its flag.
    enum Places {
        /// Only as a flag: it asks for something else than the command's work.
        FLAG,
        /// Flag and variable: the server has no repository whose file could speak for it.
        VARIABLE,
        /// Flag, variable and `.remora.yaml`.
        FILE
    }

    Setting {
        variables = List.copyOf(variables);
        choices = List.copyOf(choices);
    }

    static Setting of(String key, SettingKind kind, String placeholder, String fallback, String sentence) {
        return new Setting(key, kind, "", placeholder, fallback, sentence, List.of(), List.of(), Places.FILE);
    }

    static Setting onOff(String key, String sentence) {
        return of(key, SettingKind.SWITCH, "", "false", sentence);
    }

    static Setting choice(String key, String fallback, String sentence, String... choices) {
        return new Setting(
                key,
                SettingKind.CHOICE,
                "",
                String.join("|", choices),
                fallback,
                sentence,
                List.of(),
                List.of(choices),
                Places.FILE);
    }

    Setting withLetter(String shortFlag) {
        return new Setting(key, kind, shortFlag, placeholder, fallback, sentence, variables, choices, places);
    }

    Setting alsoFrom(String... more) {
        return new Setting(key, kind, letter, placeholder, fallback, sentence, List.of(more), choices, places);
    }

    Setting only(Places where) {
        return new Setting(key, kind, letter, placeholder, fallback, sentence, variables, choices, where);
    }

    String flag() {
        return "--" + key;
    }

    /// The variable of our own name.
    String variable() {
        return "REMORA_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /// Whether the flag stands alone when no `=value` is attached.
    boolean mayStandAlone() {
        return switch (kind) {
            case SWITCH, COUNT, OPTIONAL_TEXT -> true;
            case TEXT, CHOICE, DURATION, NUMBER, RATIO, LIST -> false;
        };
    }
}

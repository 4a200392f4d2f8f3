package dev.remora.cli;

/// What a setting's value is, which decides how it is read and checked.
enum SettingKind {
    /// On or off: `--flag`, `--flag=false`.
    SWITCH,
    /// How often it was given: `-v`, `-vv`.
    COUNT,
    TEXT,
    /// One of [Setting#choices()].
    CHOICE,
    /// As Go writes it: `90s`, `1m30s`.
    DURATION,
    /// A whole number from 0.
    NUMBER,
    /// A number from 0 to 1.
    RATIO,
    /// Repeatable; in a variable one value a line, in a file a list.
    LIST,
    /// `--flag` alone or `--flag=VALUE`.
    OPTIONAL_TEXT
}

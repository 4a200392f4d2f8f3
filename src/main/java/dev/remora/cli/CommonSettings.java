package dev.remora.cli;

import dev.remora.cli.Setting.Places;
import java.util.List;
import java.util.stream.Stream;

/// What every command understands that works on a folder and talks to people.
final class CommonSettings {
    static final Setting HELP =
            Setting.onOff("help", "show this text and end").withLetter("h").only(Places.FLAG);
    static final Setting DIRECTORY = Setting.of(
                    "directory", SettingKind.TEXT, "DIR", "", "start in this folder, as if the shell stood there")
            .withLetter("C")
            .only(Places.FLAG);
    static final Setting QUIET =
            Setting.onOff("quiet", "print results and errors only").withLetter("q");
    static final Setting VERBOSE = Setting.of(
                    "verbose", SettingKind.COUNT, "", "0", "tell more on standard error; twice for all")
            .withLetter("v");
    static final Setting COLOR = Setting.choice(
            "color",
            "auto",
            "colour on standard error; auto: on a terminal, and NO_COLOR is unset",
            "auto",
            "always",
            "never");
    static final Setting NO_COLOR = Setting.onOff("no-color", "the same as --color=never");
    static final Setting PROGRESS = Setting.choice(
            "progress",
            "auto",
            "what standard error tells while work goes on; auto: one live line on a terminal, else a plain line every 10s",
            "auto",
            "plain",
            "json",
            "none");

    private CommonSettings() {}

    /// A command's own settings, then the common ones.
    static List<Setting> after(Setting... own) {
        return Stream.concat(Stream.of(own), Stream.of(DIRECTORY, QUIET, VERBOSE, COLOR, NO_COLOR, PROGRESS, HELP))
                .toList();
    }
}

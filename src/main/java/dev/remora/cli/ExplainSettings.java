package dev.remora.cli;

/// The settings of `explain` and `params` on Applications.
final class ExplainSettings {
    static final Setting SOURCE = Setting.of(
            "source", SettingKind.NUMBER, "N", "0", "only the Nth source of the Application, from 1; 0: all");
    static final Setting AT = Setting.choice(
            "at",
            "end",
            "stop there: when the revision is laid out, overrides are read, the type is chosen, the plugin would be"
                    + " asked, or its answer is there",
            "revision",
            "overrides",
            "type",
            "plugin",
            "answer",
            "end");
    static final Setting SHELL = Setting.onOff(
            "shell",
            "leave a shell in the plugin's work folder with its environment and sandbox, after init and before generate");
    static final Setting CACHE = Setting.onOff(
            "cache",
            "show by what a kept answer is known, here and in Argo CD; with --cache-dir whether there is one, and else what differs from the last");
    static final Setting SINCE = Setting.of(
            "since",
            SettingKind.TEXT,
            "REV",
            "",
            "which files changed since this revision, and whether they make Argo CD and the plugin render again; exit"
                    + " 1 if they do");
    static final Setting WRITE_ANNOTATION = Setting.onOff(
            "write-annotation", "with --reads: write manifest-generate-paths into the Application's file");

    static final Setting CHECK =
            Setting.onOff("check", "check the Application's parameters against what is announced; exit 1 for findings");
    static final Setting WRITE = Setting.onOff(
            "write", "write what --plugin-param gives into the Application's file; without it a patch is shown");

    private ExplainSettings() {}
}

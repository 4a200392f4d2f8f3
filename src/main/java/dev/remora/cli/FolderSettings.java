package dev.remora.cli;

import dev.remora.cli.Setting.Places;
import java.util.List;

/// The settings of the commands that run a plugin on a folder: `render`, `explain`, `params`.
final class FolderSettings {
    static final Setting PLUGIN = Setting.of(
            "plugin",
            SettingKind.LIST,
            "FILE|unix:SOCKET",
            "",
            "the plugin: a plugin.yaml, or the socket of a running plugin server (Remora's or Argo CD's)");
    static final Setting PATH = Setting.of(
            "path", SettingKind.TEXT, "SUB", ".", "the application's folder below FOLDER, as spec.source.path");
    static final Setting PLUGIN_ENV =
            Setting.of("plugin-env", SettingKind.LIST, "NAME=VALUE", "", "an entry of spec.source.plugin.env");
    static final Setting PLUGIN_PARAM = Setting.of(
            "plugin-param",
            SettingKind.LIST,
            "K=V|K[]=V|K.x=V",
            "",
            "a parameter of spec.source.plugin.parameters: a string, an array's next element, a map's entry");
    static final Setting APP_NAME =
            Setting.of("app-name", SettingKind.TEXT, "NAME", "", "the Application's name; default: the folder's name");
    static final Setting NAMESPACE = Setting.of(
                    "namespace",
                    SettingKind.TEXT,
                    "NAME",
                    "argocd",
                    "the Application's own namespace; another than argocd precedes the name: NAMESPACE_NAME; without FOLDER:"
                            + " only Applications of this namespace")
            .withLetter("n");
    static final Setting APP_NAMESPACE = Setting.of(
                    "app-namespace", SettingKind.TEXT, "NAME", "", "the same as --namespace")
            .withLetter("N");
    static final Setting DESTINATION_NAMESPACE = Setting.of(
            "dest-namespace", SettingKind.TEXT, "NAME", "default", "the destination's namespace, ARGOCD_APP_NAMESPACE");
    static final Setting PROJECT = Setting.of(
            "project",
            SettingKind.TEXT,
            "NAME",
            "default",
            "the Application's AppProject; without FOLDER: only those of it");
    static final Setting REVISION = Setting.of(
            "revision",
            SettingKind.TEXT,
            "REV",
            "",
            "the revision that the plugin is told; default: the folder's HEAD; without FOLDER: the revision to render,"
                    + " instead of the checkout and of targetRevision");
    static final Setting TARGET_REVISION = Setting.of(
            "target-revision", SettingKind.TEXT, "REV", "HEAD", "spec.source.targetRevision that the plugin is told");
    static final Setting REPO_URL = Setting.of(
            "repo-url",
            SettingKind.TEXT,
            "URL",
            "",
            "the repository's URL that the plugin is told; default: the folder's remote");
    static final Setting KUBE_VERSION =
            Setting.of("kube-version", SettingKind.TEXT, "VERSION", "", "the cluster's version, KUBE_VERSION");
    static final Setting API_VERSIONS = Setting.of(
                    "api-versions",
                    SettingKind.LIST,
                    "GROUP/VERSION[/KIND]",
                    "",
                    "what the cluster serves, KUBE_API_VERSIONS; commas allowed")
            .withLetter("a");
    static final Setting EXCLUDE = Setting.of(
            "exclude",
            SettingKind.LIST,
            "PATTERN",
            "",
            "leave out what the repo-server would by --plugin-tar-exclude (Go's filepath.Match on the whole path)");
    static final Setting TIMEOUT = Setting.of(
            "timeout",
            SettingKind.DURATION,
            "TIME",
            "60s",
            "the caller's time limit, as the controller sets it; 0: none");
    static final Setting EXEC_TIMEOUT = Setting.of(
                    "exec-timeout",
                    SettingKind.DURATION,
                    "TIME",
                    "90s",
                    "a command's time limit; with unix:SOCKET, when given: of the whole call")
            .alsoFrom("ARGOCD_EXEC_TIMEOUT");
    static final Setting EXEC_FATAL_TIMEOUT = Setting.of(
                    "exec-fatal-timeout", SettingKind.DURATION, "TIME", "10s", "the time between TERM and KILL")
            .alsoFrom("ARGOCD_EXEC_FATAL_TIMEOUT");
    static final Setting ARGOCD = Setting.of(
            "argocd",
            SettingKind.LIST,
            "ROW[,ROW]|all",
            "",
            "do as Argo CD's server does, in these rows of docs/reference/departures.md");
    static final Setting WORKDIR = Setting.of(
            "workdir",
            SettingKind.TEXT,
            "DIR",
            "",
            "where work folders are made; default: the system's folder for temporary files");

    static final Setting SANDBOX = Setting.choice(
                    "sandbox",
                    "definition",
                    "which fence the commands get: what remora.sandbox says, or a strict one",
                    "definition",
                    "strict")
            .only(Places.FLAG);
    static final Setting NO_SANDBOX = Setting.onOff("no-sandbox", "run the commands without any fence, to debug")
            .only(Places.FLAG);

    static final Setting RENDER_OUTPUT = Setting.choice(
                    "output", "yaml", "the form of the result", "yaml", "json", "name", "wide")
            .withLetter("o");
    static final Setting TIMINGS = Setting.onOff("timings", "tell on standard error where the time went");
    static final Setting KEEP = Setting.of(
            "keep",
            SettingKind.OPTIONAL_TEXT,
            "[=DIR]",
            "",
            "keep the work folder, with a script that repeats the commands in it");
    static final Setting SHOW_SECRETS = Setting.onOff("show-secrets", "show the data of Secrets also on a terminal");
    static final Setting MASK = Setting.onOff("mask", "mask the data of Secrets everywhere");
    static final Setting COMPARE_HOSTS = Setting.onOff(
            "compare-hosts",
            "ask the two plugins given by --plugin, print where their answers differ, exit 1 if they do");
    static final Setting REPORT =
            Setting.of("report", SettingKind.LIST, "json=FILE", "", "write a report of the render beside the result");

    static final Setting EXPLAIN_OUTPUT = Setting.choice("output", "tree", "the form of the result", "tree", "json")
            .withLetter("o");
    static final Setting ENV = Setting.onOff("env", "show every variable with its origin, and names that clash");
    static final Setting LIMITS = Setting.of(
            "limits",
            SettingKind.OPTIONAL_TEXT,
            "[=FILE]",
            "",
            "show every time limit, which fires first and where it is set; FILE: Argo CD's ConfigMap"
                    + " argocd-cmd-params-cm");
    static final Setting PROPOSE_SANDBOX = Setting.onOff(
                    "sandbox", "run the plugin once, watched, and propose the sandbox block that it needs")
            .only(Places.FLAG);
    static final Setting READS = Setting.onOff(
            "reads",
            "run the plugin once and show which files it opened, as remora.inputs and for manifest-generate-paths");
    static final Setting STRICT = Setting.onOff("strict", "with --env: a clash of names is a fault, exit 3");

    static final Setting PARAMS_OUTPUT = Setting.choice("output", "wide", "the form of the result", "wide", "json")
            .withLetter("o");

    private static final Setting[] APPLICATION = {
        PLUGIN,
        PATH,
        PLUGIN_ENV,
        PLUGIN_PARAM,
        APP_NAME,
        NAMESPACE,
        APP_NAMESPACE,
        DESTINATION_NAMESPACE,
        PROJECT,
        REVISION,
        TARGET_REVISION,
        REPO_URL,
        KUBE_VERSION,
        API_VERSIONS,
        EXCLUDE,
        TIMEOUT,
        EXEC_TIMEOUT,
        EXEC_FATAL_TIMEOUT,
        ARGOCD,
        WORKDIR,
        NO_SANDBOX
    };

    private FolderSettings() {}

    /// As [#and], with further settings before the command's own.
    static List<Setting> and(List<Setting> more, Setting... own) {
        Setting[] all = java.util.stream.Stream.concat(more.stream(), java.util.stream.Stream.of(own))
                .toArray(Setting[]::new);
        return and(all);
    }

    /// What the plugin is told and limited by, then what is the command's own, then the common ones.
    static List<Setting> and(Setting... own) {
        Setting[] all = new Setting[APPLICATION.length + own.length];
        System.arraycopy(APPLICATION, 0, all, 0, APPLICATION.length);
        System.arraycopy(own, 0, all, APPLICATION.length, own.length);
        return CommonSettings.after(all);
    }
}

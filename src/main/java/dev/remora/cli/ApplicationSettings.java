package dev.remora.cli;

import dev.remora.manifest.Tracking;
import java.util.List;

/// The settings of commands that work on Applications.
final class ApplicationSettings {
    static final Setting FILENAME = Setting.of(
                    "filename",
                    SettingKind.LIST,
                    "FILE|FOLDER|GLOB|-",
                    "",
                    "Applications: a file, a folder of files, a pattern, or - for standard input; without it what the"
                            + " repository holds")
            .withLetter("f")
            .only(Setting.Places.FLAG);
    static final Setting RECURSIVE =
            Setting.onOff("recursive", "look into the folders of --filename").withLetter("R");
    static final Setting APP = Setting.of(
            "app", SettingKind.LIST, "NAME", "", "only Applications of this name; * and ? stand for any letters");
    static final Setting SELECTOR = Setting.of(
                    "selector", SettingKind.TEXT, "LABELS", "", "only Applications with these labels, as kubectl's -l")
            .withLetter("l");
    static final Setting REPO = Setting.of(
            "repo",
            SettingKind.LIST,
            "URL=FOLDER",
            "",
            "use this folder for the repository, uncommitted changes included; the current checkout is recognised by"
                    + " its remotes");
    static final Setting OFFLINE = Setting.onOff("offline", "use what was fetched before, and ask no server");
    static final Setting CREDENTIALS = Setting.of(
            "credentials",
            SettingKind.LIST,
            "FILE",
            "",
            "Argo CD's repository and repo-creds Secrets, as YAML; without one that fits, your own git's login");
    static final Setting SUBMODULES =
            Setting.of("submodules", SettingKind.SWITCH, "", "true", "fetch and lay out submodules, as Argo CD does");
    static final Setting CLUSTER_FACTS = Setting.of(
            "cluster-facts",
            SettingKind.LIST,
            "FILE",
            "",
            "the cluster's version and what it serves: saved output of kubectl version, api-versions or api-resources,"
                    + " or YAML with kubeVersion and apiVersions");
    static final Setting CONTROL_PLANE = Setting.of(
            "control-plane-namespace",
            SettingKind.TEXT,
            "NAME",
            "argocd",
            "Argo CD's own namespace; Applications of others are called NAMESPACE_NAME");
    static final Setting TRACKING_METHOD = Setting.of(
            "tracking-method",
            SettingKind.TEXT,
            "annotation|label|annotation+label",
            Tracking.Method.ANNOTATION.word(),
            "Argo CD's application.resourceTrackingMethod");
    static final Setting LABEL_KEY = Setting.of(
            "instance-label-key",
            SettingKind.TEXT,
            "KEY",
            Tracking.DEFAULT_LABEL_KEY,
            "Argo CD's application.instanceLabelKey");
    static final Setting INSTALLATION_ID =
            Setting.of("installation-id", SettingKind.TEXT, "ID", "", "Argo CD's installationID");
    static final Setting SEND = Setting.choice(
            "send",
            "whole",
            "which part of the repository plugins get: the whole; what the annotation manifest-generate-paths leads to,"
                    + " as the repo-server's --plugin-use-manifest-generate-paths; only what it lists",
            "whole",
            "annotation",
            "listed");
    static final Setting PLUGINS_DIR = Setting.of(
            "plugins-dir",
            SettingKind.LIST,
            "DIR",
            "",
            "a folder of plugins to choose from as Argo CD does: plugin.yaml files, folders with one, ConfigMaps that"
                    + " carry one, sockets");
    static final Setting DIRECTORY_BYTES = Setting.of(
                    "max-combined-directory-manifests-size",
                    SettingKind.TEXT,
                    "SIZE",
                    "10M",
                    "what the files of a plain directory may take together, as the repo-server's flag; 0: no limit")
            .alsoFrom("ARGOCD_REPO_SERVER_MAX_COMBINED_DIRECTORY_MANIFESTS_SIZE");
    static final Setting CONCURRENCY = Setting.of(
            "concurrency", SettingKind.NUMBER, "N", "0", "Applications rendered at once; 0: one for each processor");
    static final Setting FAIL_FAST = Setting.onOff("fail-fast", "stop at the first Application that fails");

    static final Setting WATCH = Setting.onOff(
                    "watch", "render again when an Application's file, a local folder or a plugin's definition changes")
            .withLetter("w")
            .only(Setting.Places.FLAG);
    static final Setting CACHE_DIR = Setting.of(
                    "cache-dir",
                    SettingKind.TEXT,
                    "DIR",
                    "",
                    "keep plugins' answers there, encrypted, and give them again while files, environment, plugin and"
                            + " tools are the same")
            .only(Setting.Places.VARIABLE);
    static final Setting CACHE_DIR_SIZE = Setting.of(
                    "cache-dir-size",
                    SettingKind.TEXT,
                    "SIZE",
                    "512Mi",
                    "what --cache-dir may take; above it, answers used longest ago are removed")
            .only(Setting.Places.VARIABLE);
    static final Setting HARD_REFRESH = Setting.onOff("hard-refresh", "make every answer anew, and keep it");

    static final Setting OUTPUT_DIR = Setting.of(
            "output-dir",
            SettingKind.TEXT,
            "DIR",
            "",
            "write the objects as DIR/<app>/<Kind>-<name>.yaml, and DIR/index.json, instead of printing them");
    static final Setting OUTPUT_LAYOUT = Setting.choice(
            "output-layout",
            "objects",
            "with --output-dir: a file for each object, or DIR/<app>.yaml for each Application",
            "objects",
            "applications");
    static final Setting SHOW_ONLY = Setting.of(
            "show-only", SettingKind.LIST, "KIND[/NAME]", "", "show only objects of this kind, or only this one");

    /// More would only wait for each other.
    static final int MOST_AT_ONCE = 256;

    private ApplicationSettings() {}

    /// Those of every command that takes Applications.
    static List<Setting> common() {
        return List.of(
                FILENAME,
                RECURSIVE,
                APP,
                SELECTOR,
                REPO,
                OFFLINE,
                CREDENTIALS,
                SUBMODULES,
                CLUSTER_FACTS,
                CONTROL_PLANE,
                TRACKING_METHOD,
                LABEL_KEY,
                INSTALLATION_ID,
                SEND,
                PLUGINS_DIR,
                DIRECTORY_BYTES);
    }
}

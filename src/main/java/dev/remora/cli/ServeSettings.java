package dev.remora.cli;

import dev.remora.cli.Setting.Places;
import java.util.List;

/// The settings of `remora serve`: those of Argo CD's server under its own names, then ours.
final class ServeSettings {
    static final Setting CONFIG_DIR = Setting.of(
                    "config-dir-path",
                    SettingKind.TEXT,
                    "DIR",
                    "/home/argocd/cmp-server/config",
                    "the folder of plugin.yaml, or of several definitions (*.yaml, */plugin.yaml)")
            .only(Places.VARIABLE);
    static final Setting LOG_FORMAT = Setting.choice("logformat", "json", "the form of log lines", "json", "text")
            .alsoFrom("ARGOCD_CMP_SERVER_LOGFORMAT")
            .only(Places.VARIABLE);
    static final Setting LOG_LEVEL = Setting.choice(
                    "loglevel",
                    "info",
                    "the lowest level that is logged",
                    "trace",
                    "debug",
                    "info",
                    "warn",
                    "warning",
                    "error",
                    "fatal",
                    "panic")
            .alsoFrom("ARGOCD_CMP_SERVER_LOGLEVEL")
            .only(Places.VARIABLE);
    static final Setting OTLP_ADDRESS = serve(
                    "otlp-address", SettingKind.TEXT, "HOST:PORT", "", "where traces go by OTLP; empty: no traces")
            .alsoFrom("ARGOCD_CMP_SERVER_OTLP_ADDRESS");
    static final Setting OTLP_INSECURE = serve(
                    "otlp-insecure", SettingKind.SWITCH, "", "true", "speak to the OTLP collector without TLS")
            .alsoFrom("ARGOCD_CMP_SERVER_OTLP_INSECURE");
    static final Setting OTLP_HEADERS = serve(
                    "otlp-headers", SettingKind.LIST, "K=V[,K=V]", "", "headers of OTLP requests")
            .alsoFrom("ARGOCD_CMP_SERVER_OTLP_HEADERS");
    static final Setting OTLP_ATTRS = serve(
                    "otlp-attrs", SettingKind.LIST, "K:V[,K:V]", "", "attributes of the traces' resource")
            .alsoFrom("ARGOCD_CMP_SERVER_OTLP_ATTRS");
    static final Setting OTLP_SAMPLE_RATIO = serve(
                    "otlp-sample-ratio", SettingKind.RATIO, "RATIO", "1.0", "the part of traces that is kept, 0 to 1")
            .alsoFrom("ARGOCD_CMP_SERVER_OTLP_SAMPLE_RATIO");

    static final Setting SOCKET_DIR = serve(
                    "socket-dir",
                    SettingKind.TEXT,
                    "DIR",
                    "/home/argocd/cmp-server/plugins",
                    "the folder of the sockets")
            .alsoFrom("ARGOCD_PLUGINSOCKFILEPATH");
    static final Setting WORKDIR = serve(
                    "workdir",
                    SettingKind.TEXT,
                    "DIR",
                    "",
                    "where work folders are made; default: the system's folder for temporary files")
            .alsoFrom("ARGOCD_CMP_WORKDIR");
    static final Setting MAX_SIZE = serve(
                    "grpc-max-size-mb", SettingKind.NUMBER, "MIB", "100", "the largest gRPC message in both directions")
            .alsoFrom("ARGOCD_GRPC_MAX_SIZE_MB");
    static final Setting KEEP_ALIVE_MIN = serve(
                    "grpc-keep-alive-min", SettingKind.DURATION, "TIME", "10s", "how often a client may ping")
            .alsoFrom("ARGOCD_GRPC_KEEP_ALIVE_MIN");
    static final Setting EXEC_TIMEOUT = serve(
                    "exec-timeout", SettingKind.DURATION, "TIME", "90s", "a command's time limit; 0: none")
            .alsoFrom("ARGOCD_EXEC_TIMEOUT");
    static final Setting EXEC_FATAL_TIMEOUT = serve(
                    "exec-fatal-timeout", SettingKind.DURATION, "TIME", "10s", "the time between TERM and KILL")
            .alsoFrom("ARGOCD_EXEC_FATAL_TIMEOUT");
    static final Setting GRACE =
            serve("grace", SettingKind.DURATION, "TIME", "25s", "how long running calls may take after SIGTERM");
    static final Setting HTTP_LISTEN = serve(
            "http-listen",
            SettingKind.TEXT,
            "[HOST]:PORT",
            "",
            "serve /metrics, /healthz, /readyz and /plugins there; empty: off");
    static final Setting ARGOCD = serve(
            "argocd",
            SettingKind.LIST,
            "ROW[,ROW]|all",
            "",
            "do as Argo CD's server does, in these rows of docs/reference/departures.md");
    static final Setting STRICT_ARCHIVE = serve(
            "strict-archive", SettingKind.SWITCH, "", "false", "refuse archives with entries that would be dropped");
    static final Setting SANDBOX = Setting.choice(
                    "sandbox",
                    "definition",
                    "which plugins are strict: those with remora.sandbox, or all",
                    "definition",
                    "strict")
            .only(Places.VARIABLE);
    static final Setting REQUIRE_SANDBOX = serve(
            "require-sandbox",
            SettingKind.SWITCH,
            "",
            "false",
            "do not start where the kernel cannot fence files and sockets");
    static final Setting KEEP_FAILED = serve(
            "keep-failed",
            SettingKind.NUMBER,
            "N",
            "0",
            "keep the folders of the last N failed renders, values masked");
    static final Setting KEEP_FAILED_SIZE =
            serve("keep-failed-size-mb", SettingKind.NUMBER, "MIB", "256", "how much one kept folder may hold");
    static final Setting CACHE_SIZE = serve(
            "cache-size-mb",
            SettingKind.NUMBER,
            "MIB",
            "32",
            "what answers may take that are kept for definitions with remora.cache.results; 0: none is kept");
    static final Setting RECYCLE_TREES = serve(
            "recycle-trees",
            SettingKind.NUMBER,
            "N",
            "8",
            "keep up to N unpacked trees for the next request of their repository and AppProject; 0: none");
    static final Setting RECYCLE_SIZE =
            serve("recycle-size-mb", SettingKind.NUMBER, "MIB", "1024", "how much the kept trees may hold together");
    static final Setting RECYCLE_INODES = serve(
            "recycle-inodes",
            SettingKind.NUMBER,
            "N",
            "100000",
            "how many files, folders and links all trees may have and still be kept");
    static final Setting RECYCLE_AGE =
            serve("recycle-age", SettingKind.DURATION, "TIME", "30m", "how long a tree is kept that nobody uses");
    static final Setting WARM_UP = serve(
            "warm-up",
            SettingKind.NUMBER,
            "N",
            "25",
            "how often the server calls itself after its start, so that the first real calls are fast; 0: never");
    static final Setting CHECK = Setting.onOff("check", "rehearse a start, report every fault and end")
            .only(Places.FLAG);
    static final Setting CHECK_OUTPUT = Setting.choice(
                    "output", "text", "with --check: the form of the report", "text", "json")
            .withLetter("o")
            .only(Places.FLAG);

    private ServeSettings() {}

    private static Setting serve(String key, SettingKind kind, String placeholder, String fallback, String sentence) {
        return Setting.of(key, kind, placeholder, fallback, sentence).only(Places.VARIABLE);
    }

    static List<Setting> all() {
        return List.of(
                CONFIG_DIR,
                LOG_FORMAT,
                LOG_LEVEL,
                OTLP_ADDRESS,
                OTLP_INSECURE,
                OTLP_HEADERS,
                OTLP_ATTRS,
                OTLP_SAMPLE_RATIO,
                SOCKET_DIR,
                WORKDIR,
                MAX_SIZE,
                KEEP_ALIVE_MIN,
                EXEC_TIMEOUT,
                EXEC_FATAL_TIMEOUT,
                GRACE,
                HTTP_LISTEN,
                ARGOCD,
                STRICT_ARCHIVE,
                SANDBOX,
                REQUIRE_SANDBOX,
                KEEP_FAILED,
                KEEP_FAILED_SIZE,
                CACHE_SIZE,
                RECYCLE_TREES,
                RECYCLE_SIZE,
                RECYCLE_INODES,
                RECYCLE_AGE,
                WARM_UP,
                CHECK,
                CHECK_OUTPUT,
                CommonSettings.HELP);
    }
}

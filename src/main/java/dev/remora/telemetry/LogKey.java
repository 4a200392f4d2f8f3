package dev.remora.telemetry;

/// The one list of names that log lines use for "which". The access log's names are Argo CD's.
public enum LogKey {
    ADDRESS("address"),
    APPLICATION("application"),
    BYTES_IN("bytes_in"),
    BYTES_OUT("bytes_out"),
    CACHE("cache"),
    CACHE_REASON("cache_reason"),
    BYTES_SAVED("bytes_saved"),
    CODE("code"),
    COMMAND("command"),
    COUNT("count"),
    DIR("dir"),
    DURATION("duration"),
    ERROR("error"),
    EXEC_ID("execID"),
    FILES("files"),
    FILES_WRITTEN("files_written"),
    GENERATE_PATHS("generate_paths"),
    GRPC_CODE("grpc.code"),
    GRPC_COMPONENT("grpc.component"),
    GRPC_DEADLINE("grpc.request.deadline"),
    GRPC_ERROR("grpc.error"),
    GRPC_METHOD("grpc.method"),
    GRPC_METHOD_TYPE("grpc.method_type"),
    GRPC_SERVICE("grpc.service"),
    GRPC_START_TIME("grpc.start_time"),
    GRPC_TIME_MS("grpc.time_ms"),
    INPUTS("inputs"),
    KEPT("kept"),
    KIND("kind"),
    LIMITS("limits"),
    MANIFESTS("manifests"),
    PATH("path"),
    PEER("peer.address"),
    PHASES("phases_ms"),
    PLUGIN("plugin"),
    PROCESSES("processes"),
    PROJECT("project"),
    PROTOCOL("protocol"),
    RAN_BY("ran_by"),
    READ("read"),
    REASON("reason"),
    REVISION("revision"),
    SANDBOX_LACKS("sandbox_lacks"),
    SOCKET("socket"),
    SOURCE("source"),
    STACK("stack"),
    STDERR("stderr"),
    TREE("tree"),
    VERDICT("verdict"),
    VERSION("version");

    private final String id;

    LogKey(String id) {
        this.id = id;
    }

    /// The name in the line.
    public String id() {
        return id;
    }

    /// This key with a value: text, number, truth value, or a map of these.
    public LogField is(Object value) {
        return new LogField(this, value);
    }
}

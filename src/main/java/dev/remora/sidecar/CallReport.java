package dev.remora.sidecar;

import dev.remora.cache.ReuseReport;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.protocol.InboundCall;
import dev.remora.telemetry.CallMeasure;
import dev.remora.telemetry.CallTrace;
import dev.remora.telemetry.LogField;
import dev.remora.telemetry.LogKey;
import dev.remora.telemetry.LogLevel;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Tracing;
import dev.remora.wire.ConfigManagementPluginServiceGrpc;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Tells what became of one streaming call: one log line, the figures, the spans.
final class CallReport {
    private final ServerParts parts;
    private final CallSession call;
    private final long startNanos = System.nanoTime();

    CallReport(ServerParts parts, CallSession call) {
        this.parts = parts;
        this.call = call;
    }

    void succeeded(int bytesOut) {
        tell(Status.OK, "ok", "", bytesOut);
    }

    void failed(Throwable failure, Status status) {
        FaultCode code = failure instanceof Fault fault ? fault.code() : FaultCode.INTERNAL;
        tell(status, code.id(), code.kind().name(), 0);
    }

    private void tell(Status status, String outcome, String kind, int bytesOut) {
        Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
        InboundCall<?> inbound = call.inbound();
        String plugin = call.plugin().registeredName();
        String project = call.project().orElse("");
        log(status, outcome, bytesOut, took);
        ReuseReport reuse = call.reuse();
        if (reuse.outcome() != ReuseReport.Outcome.OFF) {
            parts.meters().asked(plugin, inbound.method(), reuse.outcome().word(), reuse.reason());
        }
        parts.meters()
                .finished(new CallMeasure(
                        plugin,
                        inbound.method(),
                        GoCodes.name(status),
                        outcome,
                        kind,
                        project,
                        call.phases().took(),
                        took,
                        call.bytesIn(),
                        bytesOut,
                        call.tree()));
        if (parts.tracing().equals(Tracing.NONE)) {
            return;
        }
        parts.tracing()
                .finished(new CallTrace(
                        ConfigManagementPluginServiceGrpc.SERVICE_NAME,
                        inbound.method(),
                        plugin,
                        call.application(),
                        programs(),
                        inbound.header("traceparent"),
                        call.started(),
                        took,
                        call.phases().took(),
                        status.getCode().value(),
                        status.isOk() ? "" : String.valueOf(status.getDescription())));
    }

    private Map<Phase, String> programs() {
        Map<Phase, String> programs = new TreeMap<>();
        programs.put(Phase.INIT, first(call.plugin().init().command()));
        programs.put(Phase.GENERATE, first(call.plugin().generate().command()));
        programs.put(Phase.PARAMETERS, first(call.plugin().dynamicParameters().command()));
        return programs;
    }

    private static String first(List<String> command) {
        return command.isEmpty() ? "" : command.getFirst();
    }

    private void log(Status status, String outcome, int bytesOut, Duration took) {
        LogLevel level = GoCodes.level(status);
        if (!parts.log().isOn(level)) {
            return;
        }
        List<LogField> fields = new ArrayList<>(AccessLog.fields(
                ConfigManagementPluginServiceGrpc.SERVICE_NAME,
                call.inbound().method(),
                "client_stream",
                status,
                took));
        fields.add(LogKey.GRPC_START_TIME.is(seconds(call.started())));
        call.time()
                .given()
                .ifPresent(given -> fields.add(
                        LogKey.GRPC_DEADLINE.is(seconds(call.started().plus(given)))));
        fields.add(LogKey.PLUGIN.is(call.plugin().registeredName()));
        fields.add(LogKey.APPLICATION.is(call.application()));
        call.project().ifPresent(project -> fields.add(LogKey.PROJECT.is(project)));
        call.revision().ifPresent(revision -> fields.add(LogKey.REVISION.is(revision)));
        fields.add(LogKey.PHASES.is(millis(call.phases().took())));
        fields.add(LogKey.BYTES_IN.is(call.bytesIn()));
        fields.add(LogKey.BYTES_OUT.is(bytesOut));
        call.tree().ifPresent(tree -> {
            fields.add(LogKey.TREE.is(tree.kind()));
            fields.add(LogKey.FILES_WRITTEN.is(tree.filesWritten()));
            fields.add(LogKey.BYTES_SAVED.is(tree.bytesSaved()));
        });
        fields.add(LogKey.CODE.is(outcome));
        ReuseReport reuse = call.reuse();
        if (reuse.outcome() != ReuseReport.Outcome.OFF) {
            fields.add(LogKey.CACHE.is(reuse.outcome().word()));
            fields.add(LogKey.CACHE_REASON.is(reuse.detail()));
        }
        if (call.manifests() >= 0) {
            fields.add(LogKey.MANIFESTS.is(call.manifests()));
        }
        if (!call.ranBy().isEmpty()) {
            fields.add(LogKey.RAN_BY.is(call.ranBy()));
        }
        List<String> lacking = parts.runner().kernel().lacking();
        if (!lacking.isEmpty()) {
            fields.add(LogKey.SANDBOX_LACKS.is(String.join(",", lacking)));
        }
        if (!call.stderr().isEmpty()) {
            fields.add(LogKey.STDERR.is(call.stderr()));
        }
        parts.log().masking(call.mask()).write(level, "finished call", fields.toArray(LogField[]::new));
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static Map<String, Object> millis(Map<Phase, Duration> took) {
        Map<String, Object> millis = new TreeMap<>();
        took.forEach((phase, time) -> millis.put(phase.word(), Math.floorDiv(time.toNanos(), 1000L) / 1000.0));
        return millis;
    }
}

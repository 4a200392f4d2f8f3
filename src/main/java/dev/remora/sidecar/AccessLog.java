package dev.remora.sidecar;

import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogField;
import dev.remora.telemetry.LogKey;
import dev.remora.telemetry.LogLevel;
import dev.remora.wire.ConfigManagementPluginServiceGrpc;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One line for each call that has no session of its own: unary ones, health, reflection, version. Health is asked
/// every few seconds, so a healthy answer is for level debug.
final class AccessLog implements ServerInterceptor {
    private static final String PLUGIN_SERVICE = ConfigManagementPluginServiceGrpc.SERVICE_NAME;

    private final Log log;

    AccessLog(Log log) {
        this.log = log;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        MethodDescriptor<Q, R> method = call.getMethodDescriptor();
        String service = Optional.ofNullable(method.getServiceName()).orElse("");
        boolean ownReport = service.equals(PLUGIN_SERVICE) && method.getType() != MethodDescriptor.MethodType.UNARY;
        if (ownReport) {
            return next.startCall(call, headers);
        }
        long start = System.nanoTime();
        return next.startCall(
                new SimpleForwardingServerCall<>(call) {
                    @Override
                    public void close(Status status, Metadata trailers) {
                        tell(method, service, status, Duration.ofNanos(System.nanoTime() - start));
                        super.close(status, trailers);
                    }
                },
                headers);
    }

    private void tell(MethodDescriptor<?, ?> method, String service, Status status, Duration took) {
        boolean routine = status.isOk() && service.startsWith("grpc.");
        LogLevel level = routine ? LogLevel.DEBUG : GoCodes.level(status);
        if (log.isOn(level)) {
            String name = Optional.ofNullable(method.getBareMethodName()).orElse("");
            List<LogField> fields = fields(service, name, type(method.getType()), status, took);
            log.write(level, "finished call", fields.toArray(LogField[]::new));
        }
    }

    /// The fields that Argo CD's access log has.
    static List<LogField> fields(String service, String method, String type, Status status, Duration took) {
        List<LogField> fields = new ArrayList<>();
        fields.add(LogKey.PROTOCOL.is("grpc"));
        fields.add(LogKey.GRPC_COMPONENT.is("server"));
        fields.add(LogKey.GRPC_SERVICE.is(service));
        fields.add(LogKey.GRPC_METHOD.is(method));
        fields.add(LogKey.GRPC_METHOD_TYPE.is(type));
        fields.add(LogKey.PEER.is("@"));
        fields.add(LogKey.GRPC_TIME_MS.is(String.format(Locale.ROOT, "%.3f", took.toNanos() / 1e6)));
        fields.add(LogKey.GRPC_CODE.is(GoCodes.name(status)));
        if (!status.isOk() && status.getDescription() != null) {
            fields.add(LogKey.GRPC_ERROR.is(status.getDescription()));
        }
        return fields;
    }

    private static String type(MethodDescriptor.MethodType type) {
        return switch (type) {
            case UNARY -> "unary";
            case CLIENT_STREAMING -> "client_stream";
            case SERVER_STREAMING -> "server_stream";
            case BIDI_STREAMING -> "bidi_stream";
            case UNKNOWN -> "unknown";
        };
    }
}

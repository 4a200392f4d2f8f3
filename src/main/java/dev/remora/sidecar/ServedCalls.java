package dev.remora.sidecar;

import com.google.protobuf.MessageLite;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.protocol.BlockingCalls;
import dev.remora.protocol.InboundCall;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogLevel;
import dev.remora.wire.AppStreamRequest;
import io.grpc.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;

/// Serves the streaming calls of one plugin: counts them as running, gives each a session, and on every way out turns
/// what happened into a status, a log line, figures and spans.
final class ServedCalls {
    private static final long MEBI = 1024 * 1024;

    private final ServerParts parts;
    private final Supplier<dev.remora.plugin.PluginDefinition> plugin;

    ServedCalls(ServerParts parts, Supplier<dev.remora.plugin.PluginDefinition> plugin) {
        this.parts = parts;
        this.plugin = plugin;
    }

    /// The gRPC side of `work`.
    <R extends MessageLite> BlockingCalls<AppStreamRequest, R> of(
            java.util.concurrent.Executor executor, Function<CallSession, R> work) {
        return new BlockingCalls<>(
                executor, parts.options().rules().transport(), Status::fromThrowable, inbound -> serve(inbound, work));
    }

    private <R extends MessageLite> R serve(InboundCall<AppStreamRequest> inbound, Function<CallSession, R> work) {
        CallSession call = new CallSession(plugin.get(), inbound, parts.timeouts(), Instant.now());
        CallReport report = new CallReport(parts, call);
        try {
            parts.running().enter(call.cancellation());
            R answer = fitting(work.apply(call));
            report.succeeded(answer.getSerializedSize());
            return answer;
        } catch (RuntimeException | Error thrown) {
            Throwable failure = thrown instanceof OutOfMemoryError memory ? outOfMemory(memory) : thrown;
            Status status = FaultStatus.of(failure, call.mask());
            report.failed(failure, status);
            if (status.getCode() == Status.Code.INTERNAL) {
                logBug(parts.log().masking(call.mask()), failure);
            }
            throw status.asRuntimeException();
        } finally {
            parts.running().leave(call.cancellation());
        }
    }

    private <R extends MessageLite> R fitting(R answer) {
        int size = answer.getSerializedSize();
        if (size > parts.answerBytes()) {
            throw new Fault(FaultCode.OUTPUT_TOO_LARGE, BlockingCalls.tooLargeWords(size, parts.answerBytes()));
        }
        return answer;
    }

    /// Large archives do not need it, large outputs do: they are held while they are read and while they are answered.
    private static Fault outOfMemory(OutOfMemoryError memory) {
        long most = Runtime.getRuntime().maxMemory() / MEBI;
        return new Fault(
                FaultCode.SERVER_MEMORY,
                "the plugin server's memory of " + most + " MiB is used up (" + Fault.words(memory)
                        + "); give it more by -Xmx in REMORA_JAVA_OPTS, print less, or lower remora.limits.parallel",
                memory);
    }

    private static void logBug(Log log, Throwable failure) {
        if (log.isOn(LogLevel.ERROR)) {
            StringWriter stack = new StringWriter();
            failure.printStackTrace(new PrintWriter(stack));
            log.error(
                    "Recovered from a fault of our own: " + Fault.words(failure),
                    dev.remora.telemetry.LogKey.STACK.is(stack.toString()));
        }
    }
}

package dev.remora.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sends spans by OTLP over gRPC, under the names that Argo CD's server uses. Loaded only when an address is
/// configured.
///
/// Spans are made when a call is over, from its phases, one behind another. Receiving and unpacking really alternate;
/// their spans show how long each took, not when.
public final class OtlpTracing implements Tracing {
    private static final Duration LAST_FLUSH = Duration.ofSeconds(2);
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?");

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    public OtlpTracing(TraceSettings settings) {
        this(settings, exporter(settings));
    }

    OtlpTracing(TraceSettings settings, SpanExporter exporter) {
        provider = SdkTracerProvider.builder()
                .setResource(resource(settings))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.sampleRatio())))
                .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                .build();
        tracer = provider.get("remora");
    }

    private static SpanExporter exporter(TraceSettings settings) {
        OtlpGrpcSpanExporterBuilder builder = OtlpGrpcSpanExporter.builder()
                .setEndpoint((settings.insecure() ? "http://" : "https://") + settings.address());
        settings.headers().forEach(builder::addHeader);
        return builder.build();
    }

    private static Resource resource(TraceSettings settings) {
        AttributesBuilder attributes = Attributes.builder().put("service.name", settings.serviceName());
        settings.attributes().forEach((key, value) -> attributes.put(AttributeKey.stringKey(key), value));
        return Resource.getDefault().merge(Resource.create(attributes.build()));
    }

    @Override
    public void finished(CallTrace call) {
        Span root = tracer.spanBuilder(call.service() + "/" + call.method())
                .setParent(parent(call.traceparent()))
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(call.started())
                .setAttribute("rpc.system", "grpc")
                .setAttribute("rpc.service", call.service())
                .setAttribute("rpc.method", call.method())
                .setAttribute("rpc.grpc.status_code", (long) call.code())
                .setAttribute("argocd.plugin.name", call.plugin())
                .setAttribute("argocd.app.name", call.application())
                .startSpan();
        Context inRoot = Context.root().with(root);
        Instant received = receiving(call, inRoot);
        working(call, inRoot, received);
        if (call.code() != 0) {
            root.setStatus(StatusCode.ERROR, call.error());
        }
        end(root, call.started().plus(call.took()));
    }

    private Instant receiving(CallTrace call, Context inRoot) {
        Instant begin = call.started().plus(took(call, Phase.QUEUE));
        Duration receive = took(call, Phase.RECEIVE);
        Duration unpack = took(call, Phase.UNPACK);
        Instant end = begin.plus(receive).plus(unpack);
        Span stream = child(inRoot, "cmp.ReceiveRepoStream", begin);
        Context inStream = inRoot.with(stream);
        end(child(inStream, "cmp.receiveFile", begin), begin.plus(receive));
        if (!unpack.isZero()) {
            end(child(inStream, "cmp.Untgz", begin.plus(receive)), end);
        }
        end(stream, end);
        return end;
    }

    private void working(CallTrace call, Context inRoot, Instant begin) {
        Context inWork = inRoot;
        Optional<Span> generating = Optional.empty();
        if (call.phases().containsKey(Phase.GENERATE) || call.phases().containsKey(Phase.INIT)) {
            Span span = child(inRoot, "plugin.generateManifestGeneric", begin);
            generating = Optional.of(span);
            inWork = inRoot.with(span);
        }
        Instant at = begin;
        for (Phase phase : new Phase[] {Phase.DISCOVER, Phase.INIT, Phase.GENERATE, Phase.PARAMETERS}) {
            Duration time = took(call, phase);
            if (!time.isZero()) {
                Span command = child(inWork, "plugin.runCommand", at);
                command.setAttribute("command", call.programs().getOrDefault(phase, ""));
                at = at.plus(time);
                end(command, at);
            }
        }
        Instant end = at.plus(took(call, Phase.CHECK));
        generating.ifPresent(span -> end(span, end));
    }

    private Span child(Context parent, String name, Instant start) {
        return tracer.spanBuilder(name)
                .setParent(parent)
                .setStartTimestamp(start)
                .startSpan();
    }

    private static void end(Span span, Instant at) {
        span.end(at);
    }

    private static Duration took(CallTrace call, Phase phase) {
        return call.phases().getOrDefault(phase, Duration.ZERO);
    }

    private static Context parent(Optional<String> traceparent) {
        Matcher matcher = TRACEPARENT.matcher(traceparent.orElse(""));
        if (!matcher.matches()) {
            return Context.root();
        }
        SpanContext remote = SpanContext.createFromRemoteParent(
                matcher.group(1), matcher.group(2), TraceFlags.fromHex(matcher.group(3), 0), TraceState.getDefault());
        return Context.root().with(Span.wrap(remote));
    }

    @Override
    public void close() {
        provider.shutdown().join(LAST_FLUSH.toMillis(), TimeUnit.MILLISECONDS);
    }
}

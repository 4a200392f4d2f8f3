package dev.remora.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.FakeCollector;
import dev.remora.testing.FakeCollector.Export;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OtlpSendersTest {
    private static final CallTrace CALL = new CallTrace(
            "plugin.ConfigManagementPluginService",
            "GenerateManifest",
            "kapitan",
            "web",
            Map.of(Phase.GENERATE, "kapitan"),
            Optional.empty(),
            Instant.parse("2026-03-04T05:06:07Z"),
            Duration.ofSeconds(1),
            Map.of(Phase.GENERATE, Duration.ofMillis(600)),
            0,
            "");

    private static TraceSettings to(String address, Map<String, String> headers) {
        return new TraceSettings(address, true, headers, Map.of(), 1.0, TraceSettings.SERVICE_NAME);
    }

    @Test
    void sendsSpansAndHeadersToACollector() throws Exception {
        try (FakeCollector collector = FakeCollector.start(Status.OK)) {
            try (OtlpTracing tracing = new OtlpTracing(to(collector.address(), Map.of("x-team", "platform")))) {
                tracing.finished(CALL);
            }

            Export export = collector.take();
            assertThat(export.method()).isEqualTo("opentelemetry.proto.collector.trace.v1.TraceService/Export");
            assertThat(export.headers().get(Metadata.Key.of("x-team", Metadata.ASCII_STRING_MARSHALLER)))
                    .isEqualTo("platform");
            assertThat(export.message()).contains("argocd-cmp-server", "plugin.generateManifestGeneric");
        }
    }

    @Test
    void isNeitherHeldUpNorEndedByACollectorThatRefuses() throws Exception {
        try (FakeCollector collector = FakeCollector.start(Status.PERMISSION_DENIED)) {
            try (OtlpTracing tracing = new OtlpTracing(to(collector.address(), Map.of()))) {
                tracing.finished(CALL);
            }
            assertThat(collector.take().message()).contains("web");
        }
    }

    @Test
    void isNeitherHeldUpNorEndedWhereNoOneListens() {
        long began = System.nanoTime();
        try (OtlpTracing tracing = new OtlpTracing(to("127.0.0.1:1", Map.of()))) {
            tracing.finished(CALL);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    }
}

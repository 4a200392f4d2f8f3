package dev.remora.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OtlpTracingTest {
    private static final Instant START = Instant.parse("2026-03-04T05:06:07Z");
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    /// Keeps what is exported.
    private static final class FakeExporter implements SpanExporter {
        private final List<SpanData> spans = new ArrayList<>();

        @Override
        public synchronized CompletableResultCode export(Collection<SpanData> more) {
            spans.addAll(more);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    private static List<SpanData> spans(double ratio, Optional<String> parent, int code) {
        FakeExporter exporter = new FakeExporter();
        TraceSettings settings = new TraceSettings(
                "127.0.0.1:1", true, Map.of(), Map.of("team", "platform"), ratio, TraceSettings.SERVICE_NAME);
        try (OtlpTracing tracing = new OtlpTracing(settings, exporter)) {
            tracing.finished(new CallTrace(
                    "plugin.ConfigManagementPluginService",
                    "GenerateManifest",
                    "kapitan",
                    "web",
                    Map.of(Phase.INIT, "git", Phase.GENERATE, "kapitan"),
                    parent,
                    START,
                    Duration.ofMillis(1000),
                    Map.of(
                            Phase.RECEIVE, Duration.ofMillis(100),
                            Phase.UNPACK, Duration.ofMillis(50),
                            Phase.INIT, Duration.ofMillis(200),
                            Phase.GENERATE, Duration.ofMillis(600)),
                    code,
                    code == 0 ? "" : "it broke"));
        }
        return exporter.spans;
    }

    private static SpanData named(List<SpanData> spans, String name) {
        return spans.stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void namesSpansAsArgoCdDoes() {
        List<SpanData> spans = spans(1.0, Optional.of(PARENT), 0);
        assertThat(spans)
                .extracting(SpanData::getName)
                .containsExactlyInAnyOrder(
                        "plugin.ConfigManagementPluginService/GenerateManifest",
                        "cmp.ReceiveRepoStream",
                        "cmp.receiveFile",
                        "cmp.Untgz",
                        "plugin.generateManifestGeneric",
                        "plugin.runCommand",
                        "plugin.runCommand");
        SpanData root = named(spans, "plugin.ConfigManagementPluginService/GenerateManifest");
        assertThat(root.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(root.getParentSpanId()).isEqualTo("b7ad6b7169203331");
        assertThat(root.getResource().getAttributes().asMap().toString()).contains("argocd-cmp-server", "platform");
        assertThat(named(spans, "plugin.generateManifestGeneric").getParentSpanId())
                .isEqualTo(root.getSpanId());
        assertThat(spans)
                .filteredOn(span -> span.getName().equals("plugin.runCommand"))
                .extracting(span -> span.getAttributes().asMap().values().toString())
                .containsExactlyInAnyOrder("[git]", "[kapitan]");
    }

    @Test
    void spansTellHowLongEachPhaseTook() {
        SpanData generate = spans(1.0, Optional.empty(), 0).stream()
                .filter(span -> span.getAttributes().asMap().containsValue("kapitan")
                        && span.getName().equals("plugin.runCommand"))
                .findFirst()
                .orElseThrow();
        assertThat(generate.getEndEpochNanos() - generate.getStartEpochNanos())
                .isEqualTo(Duration.ofMillis(600).toNanos());
    }

    @Test
    void marksAFailedCall() {
        SpanData root = named(spans(1.0, Optional.empty(), 2), "plugin.ConfigManagementPluginService/GenerateManifest");
        assertThat(root.getStatus().getDescription()).isEqualTo("it broke");
    }

    @Test
    void samplesByRatioUnlessTheCallerDecided() {
        assertThat(spans(0.0, Optional.empty(), 0)).isEmpty();
        assertThat(spans(0.0, Optional.of(PARENT), 0)).isNotEmpty();
        assertThat(spans(0.0, Optional.of("nonsense"), 0)).isEmpty();
    }
}

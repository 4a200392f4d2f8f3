package dev.remora.telemetry;

import java.util.Map;

/// Where spans go, by OTLP over gRPC.
///
/// @param address `--otlp-address`, host and port
/// @param insecure without TLS
/// @param headers sent with every export
/// @param attributes added to the resource
/// @param sampleRatio share of traces kept where the caller did not decide, 0 to 1
/// @param serviceName as Argo CD's server names itself, so that dashboards keep working
public record TraceSettings(
        String address,
        boolean insecure,
        Map<String, String> headers,
        Map<String, String> attributes,
        double sampleRatio,
        String serviceName) {
    public static final String SERVICE_NAME = "argocd-cmp-server";

    public TraceSettings {
        headers = Map.copyOf(headers);
        attributes = Map.copyOf(attributes);
    }
}

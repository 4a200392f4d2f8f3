package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.generation.FencePolicy;
import dev.remora.posix.Bytes;
import dev.remora.protocol.TransportLimits;
import dev.remora.sidecar.ServeOptions;
import dev.remora.sidecar.ServeOptions.Isolation;
import dev.remora.sidecar.ServeOptions.Outlets;
import dev.remora.sidecar.ServeOptions.Places;
import dev.remora.sidecar.ServeOptions.Rules;
import dev.remora.sidecar.ServeOptions.Surroundings;
import dev.remora.sidecar.ServeOptions.Times;
import dev.remora.telemetry.LogFormat;
import dev.remora.telemetry.LogLevel;
import dev.remora.telemetry.LogSettings;
import dev.remora.telemetry.TraceSettings;
import dev.remora.workspace.KeptFolders;
import dev.remora.workspace.RecycleOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The settings of `serve` as the server's own options.
final class ServeArguments {
    private static final int MIB = 1 << 20;
    private static final int MOST_MIB = Integer.MAX_VALUE / MIB;
    private static final int MOST_PORT = 65_535;

    private ServeArguments() {}

    static ServeOptions options(SettingValues settings, Console console) {
        Path workDir = settings.optional(ServeSettings.WORKDIR)
                .map(console.directory()::resolve)
                .orElse(ApplicationOptions.temporary(console));
        return new ServeOptions(
                new Places(
                        console.directory().resolve(settings.text(ServeSettings.CONFIG_DIR)),
                        console.directory().resolve(settings.text(ServeSettings.SOCKET_DIR)),
                        workDir,
                        keepFailed(settings, workDir),
                        recycle(settings)),
                new Times(
                        settings.duration(ServeSettings.EXEC_TIMEOUT),
                        settings.duration(ServeSettings.EXEC_FATAL_TIMEOUT),
                        settings.duration(ServeSettings.GRACE),
                        Times.DEFAULT.reloadPoll()),
                new Rules(
                        transport(settings),
                        ApplicationOptions.departures(settings.list(ServeSettings.ARGOCD)),
                        settings.on(ServeSettings.STRICT_ARCHIVE),
                        settings.number(ServeSettings.CACHE_SIZE) * MIB,
                        new Isolation(
                                settings.text(ServeSettings.SANDBOX).equals("strict")
                                        ? FencePolicy.Level.STRICT
                                        : FencePolicy.Level.BY_DEFINITION,
                                settings.on(ServeSettings.REQUIRE_SANDBOX)),
                        Math.toIntExact(Math.min(settings.number(ServeSettings.WARM_UP), Integer.MAX_VALUE))),
                new Outlets(
                        settings.optional(ServeSettings.HTTP_LISTEN).map(ServeArguments::address),
                        settings.optional(ServeSettings.OTLP_ADDRESS).map(address -> tracing(settings, address))),
                new Surroundings(VersionCommand.version(), console.environment(), exported(settings)));
    }

    private static KeptFolders keepFailed(SettingValues settings, Path workDir) {
        return new KeptFolders(
                Bytes.utf8(workDir.toString()),
                (int) settings.number(ServeSettings.KEEP_FAILED),
                settings.number(ServeSettings.KEEP_FAILED_SIZE) * MIB);
    }

    private static RecycleOptions recycle(SettingValues settings) {
        return new RecycleOptions(
                (int) Math.min(settings.number(ServeSettings.RECYCLE_TREES), Integer.MAX_VALUE),
                settings.number(ServeSettings.RECYCLE_SIZE) * MIB,
                settings.number(ServeSettings.RECYCLE_INODES),
                settings.duration(ServeSettings.RECYCLE_AGE));
    }

    static LogSettings logSettings(SettingValues settings, Console console) {
        Map<String, String> environment = console.environment();
        return new LogSettings(
                LogFormat.parse(settings.text(ServeSettings.LOG_FORMAT)),
                LogLevel.parse(settings.text(ServeSettings.LOG_LEVEL)),
                Optional.ofNullable(environment.get("ARGOCD_LOG_FORMAT_TIMESTAMP"))
                        .filter(layout -> !layout.isEmpty()),
                "1".equals(environment.get("FORCE_LOG_COLORS")),
                "1".equals(environment.get("ARGOCD_LOG_FORMAT_ENABLE_FULL_TIMESTAMP")));
    }

    /// Argo CD's server sets these in its own environment, so plugins see them.
    private static Map<String, String> exported(SettingValues settings) {
        return Map.of(
                "ARGOCD_LOG_FORMAT", settings.text(ServeSettings.LOG_FORMAT),
                "ARGOCD_LOG_LEVEL", settings.text(ServeSettings.LOG_LEVEL));
    }

    private static TransportLimits transport(SettingValues settings) {
        long mib = Math.min(settings.number(ServeSettings.MAX_SIZE), MOST_MIB);
        return new TransportLimits(Math.toIntExact(mib * MIB), settings.duration(ServeSettings.KEEP_ALIVE_MIN));
    }

    /// `:8088`, `127.0.0.1:8088`, `[::1]:8088`, and a bare port.
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon).replaceAll("^\\[|]$", "");
        String port = text.substring(colon + 1);
        if (!port.matches("\\d{1,5}") || Integer.parseInt(port) > MOST_PORT) {
            throw new Fault(
                    FaultCode.USAGE,
                    ServeSettings.HTTP_LISTEN.flag() + ": \"" + text + "\" is no address; write it as :8088");
        }
        int number = Integer.parseInt(port);
        InetSocketAddress address =
                host.isEmpty() ? new InetSocketAddress(number) : new InetSocketAddress(host, number);
        if (address.isUnresolved()) {
            throw new Fault(FaultCode.USAGE, ServeSettings.HTTP_LISTEN.flag() + ": host " + host + " is not known");
        }
        return address;
    }

    private static TraceSettings tracing(SettingValues settings, String address) {
        return new TraceSettings(
                address,
                settings.on(ServeSettings.OTLP_INSECURE),
                pairs(ServeSettings.OTLP_HEADERS, settings, "="),
                pairs(ServeSettings.OTLP_ATTRS, settings, ":"),
                settings.ratio(ServeSettings.OTLP_SAMPLE_RATIO),
                TraceSettings.SERVICE_NAME);
    }

    private static Map<String, String> pairs(Setting setting, SettingValues settings, String sign) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String value : settings.list(setting)) {
            for (String pair : List.of(value.split(",", -1))) {
                int at = pair.indexOf(sign);
                if (at <= 0) {
                    throw new Fault(
                            FaultCode.USAGE,
                            setting.flag() + ": \"" + pair + "\" is not of the form " + setting.placeholder());
                }
                all.put(pair.substring(0, at).strip(), pair.substring(at + 1).strip());
            }
        }
        return all;
    }
}

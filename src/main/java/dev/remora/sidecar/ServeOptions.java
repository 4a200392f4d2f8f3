package dev.remora.sidecar;

import dev.remora.plugin.Departures;
import dev.remora.protocol.TransportLimits;
import dev.remora.telemetry.TraceSettings;
import dev.remora.workspace.KeptFolders;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Everything a `SidecarServer` is told at its start.
///
/// @param configDir `--config-dir-path`: a folder with `plugin.yaml`, or with several definitions
/// @param socketDir `ARGOCD_PLUGINSOCKFILEPATH`; not made by us, since it is the volume that both sides share
/// @param workDir `ARGOCD_CMP_WORKDIR`, or the folder for temporary files; requests get folders below it
/// @param execTimeout `ARGOCD_EXEC_TIMEOUT`
/// @param fatalTimeout `ARGOCD_EXEC_FATAL_TIMEOUT`: from TERM to KILL
/// @param grace how long running calls may go on after a stop was asked for
/// @param httpListen where `/metrics`, `/healthz`, `/readyz` and `/plugins` are served; off when empty
/// @param tracing where spans go; off when empty
/// @param reloadPoll time between looks at the definitions' files
/// @param strictArchive archive entries that would be dropped (hard links, devices) are refused
/// @param version this program's version, as the version service and the first log line tell it
/// @param environment the server's own environment, for finding programs and for masking secrets in logs
/// @param exported variables that the server sets for its commands, as Argo CD's does with its log settings
/// @param keepFailed where the folders of failed renders stay, and how many
public record ServeOptions(
        Path configDir,
        Path socketDir,
        Path workDir,
        TransportLimits transport,
        Duration execTimeout,
        Duration fatalTimeout,
        Duration grace,
        Departures departures,
        Optional<InetSocketAddress> httpListen,
        Optional<TraceSettings> tracing,
        Duration reloadPoll,
        boolean strictArchive,
        String version,
        Map<String, String> environment,
        Map<String, String> exported,
        KeptFolders keepFailed) {
    public static final Path DEFAULT_CONFIG_DIR = Path.of("/home/argocd/cmp-server/config");
    public static final Path DEFAULT_SOCKET_DIR = Path.of("/home/argocd/cmp-server/plugins");
    public static final Duration DEFAULT_EXEC_TIMEOUT = Duration.ofSeconds(90);
    public static final Duration DEFAULT_FATAL_TIMEOUT = Duration.ofSeconds(10);
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(25);
    public static final Duration DEFAULT_RELOAD_POLL = Duration.ofSeconds(1);

    public ServeOptions {
        environment = Map.copyOf(environment);
        exported = Map.copyOf(exported);
    }

    /// Defaults for everything but the places.
    public static ServeOptions at(Path configDir, Path socketDir, Path workDir) {
        return new ServeOptions(
                configDir,
                socketDir,
                workDir,
                TransportLimits.DEFAULT,
                DEFAULT_EXEC_TIMEOUT,
                DEFAULT_FATAL_TIMEOUT,
                DEFAULT_GRACE,
                Departures.NONE_SWITCHED_BACK,
                Optional.empty(),
                Optional.empty(),
                DEFAULT_RELOAD_POLL,
                false,
                "v0",
                System.getenv(),
                Map.of(),
                KeptFolders.NONE);
    }

    public ServeOptions withDepartures(Departures changed) {
        return new ServeOptions(
                configDir,
                socketDir,
                workDir,
                transport,
                execTimeout,
                fatalTimeout,
                grace,
                changed,
                httpListen,
                tracing,
                reloadPoll,
                strictArchive,
                version,
                environment,
                exported,
                keepFailed);
    }

    public ServeOptions withTransport(TransportLimits changed) {
        return new ServeOptions(
                configDir,
                socketDir,
                workDir,
                changed,
                execTimeout,
                fatalTimeout,
                grace,
                departures,
                httpListen,
                tracing,
                reloadPoll,
                strictArchive,
                version,
                environment,
                exported,
                keepFailed);
    }

    public ServeOptions withExecTimeouts(Duration timeout, Duration fatal) {
        return new ServeOptions(
                configDir,
                socketDir,
                workDir,
                transport,
                timeout,
                fatal,
                grace,
                departures,
                httpListen,
                tracing,
                reloadPoll,
                strictArchive,
                version,
                environment,
                exported,
                keepFailed);
    }

    public ServeOptions withGrace(Duration changed) {
        return new ServeOptions(
                configDir,
                socketDir,
                workDir,
                transport,
                execTimeout,
                fatalTimeout,
                changed,
                departures,
                httpListen,
                tracing,
                reloadPoll,
                strictArchive,
                version,
                environment,
                exported,
                keepFailed);
    }

    public ServeOptions withHttpListen(InetSocketAddress address) {
        return new ServeOptions(
                configDir,
                socketDir,
                workDir,
                transport,
                execTimeout,
                fatalTimeout,
                grace,
                departures,
                Optional.of(address),
                tracing,
                reloadPoll,
                strictArchive,
                version,
                environment,
                exported,
                keepFailed);
    }

    public ServeOptions withReloadPoll(Duration changed) {
        return new ServeOptions(
                configDir,
                socketDir,
                workDir,
                transport,
                execTimeout,
                fatalTimeout,
                grace,
                departures,
                httpListen,
                tracing,
                changed,
                strictArchive,
                version,
                environment,
                exported,
                keepFailed);
    }

    public ServeOptions withTracing(TraceSettings changed) {
        return new ServeOptions(
                configDir,
                socketDir,
                workDir,
                transport,
                execTimeout,
                fatalTimeout,
                grace,
                departures,
                httpListen,
                Optional.of(changed),
                reloadPoll,
                strictArchive,
                version,
                environment,
                exported,
                keepFailed);
    }

    public ServeOptions withKeepFailed(KeptFolders changed) {
        return new ServeOptions(
                configDir,
                socketDir,
                workDir,
                transport,
                execTimeout,
                fatalTimeout,
                grace,
                departures,
                httpListen,
                tracing,
                reloadPoll,
                strictArchive,
                version,
                environment,
                exported,
                changed);
    }
}

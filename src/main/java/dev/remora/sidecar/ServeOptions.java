package dev.remora.sidecar;

import dev.remora.generation.FencePolicy;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.protocol.TransportLimits;
import dev.remora.telemetry.TraceSettings;
import dev.remora.workspace.KeptFolders;
import dev.remora.workspace.RecycleOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Everything a `SidecarServer` is told at its start: where it works, how long things may take, by which rules it
/// serves, what it shows of itself, and in which surroundings it was started.
public record ServeOptions(Places places, Times times, Rules rules, Outlets outlets, Surroundings surroundings) {
    public static final Path DEFAULT_CONFIG_DIR = Path.of("/home/argocd/cmp-server/config");
    public static final Path DEFAULT_SOCKET_DIR = Path.of("/home/argocd/cmp-server/plugins");

    /// The folders of the server.
    ///
    /// @param configDir `--config-dir-path`: a folder with `plugin.yaml`, or with several definitions
    /// @param socketDir `ARGOCD_PLUGINSOCKFILEPATH`; not made by us, since it is the volume that both sides share
    /// @param workDir `ARGOCD_CMP_WORKDIR`, or the folder for temporary files; requests get folders below it
    /// @param keepFailed where the folders of failed renders stay, and how many
    /// @param recycle how much of what was unpacked is kept for the next request
    public record Places(Path configDir, Path socketDir, Path workDir, KeptFolders keepFailed, RecycleOptions recycle) {
        public Places withRecycle(RecycleOptions changed) {
            return new Places(configDir, socketDir, workDir, keepFailed, changed);
        }

        Places keepingNone() {
            return new Places(configDir, socketDir, workDir, KeptFolders.NONE, recycle);
        }
    }

    /// The time that things may take.
    ///
    /// @param execTimeout `ARGOCD_EXEC_TIMEOUT`
    /// @param fatalTimeout `ARGOCD_EXEC_FATAL_TIMEOUT`: from TERM to KILL
    /// @param grace how long running calls may go on after a stop was asked for
    /// @param reloadPoll time between looks at the definitions' files
    public record Times(Duration execTimeout, Duration fatalTimeout, Duration grace, Duration reloadPoll) {
        public static final Times DEFAULT = new Times(
                Duration.ofSeconds(90), Duration.ofSeconds(10), Duration.ofSeconds(25), Duration.ofSeconds(1));

        public Times withGrace(Duration changed) {
            return new Times(execTimeout, fatalTimeout, changed, reloadPoll);
        }

        public Times withExecTimeouts(Duration timeout, Duration fatal) {
            return new Times(timeout, fatal, grace, reloadPoll);
        }

        public Times withReloadPoll(Duration changed) {
            return new Times(execTimeout, fatalTimeout, grace, changed);
        }
    }

    /// How calls are served.
    ///
    /// @param strictArchive archive entries that would be dropped (hard links, devices) are refused
    /// @param cacheBytes what kept answers may take together; 0: none is kept
    /// @param isolation how commands are fenced
    /// @param warmUp so often the server calls itself after its start
    public record Rules(
            TransportLimits transport,
            Departures departures,
            boolean strictArchive,
            long cacheBytes,
            Isolation isolation,
            int warmUp) {
        private static final long DEFAULT_CACHE = 32L << 20;

        public static final Rules DEFAULT = new Rules(
                TransportLimits.DEFAULT, Departures.NONE_SWITCHED_BACK, false, DEFAULT_CACHE, Isolation.DEFAULT, 0);

        public Rules withTransport(TransportLimits changed) {
            return new Rules(changed, departures, strictArchive, cacheBytes, isolation, warmUp);
        }

        public Rules withWarmUp(int rounds) {
            return new Rules(transport, departures, strictArchive, cacheBytes, isolation, rounds);
        }

        public Rules withCacheBytes(long changed) {
            return new Rules(transport, departures, strictArchive, changed, isolation, warmUp);
        }

        public Rules withDepartures(Departures changed) {
            return new Rules(transport, changed, strictArchive, cacheBytes, isolation, warmUp);
        }

        public Rules withIsolation(Isolation changed) {
            return new Rules(transport, departures, strictArchive, cacheBytes, changed, warmUp);
        }
    }

    /// How commands are fenced.
    ///
    /// @param level which definitions are strict
    /// @param required whether a kernel that cannot fence files and sockets keeps the server from starting
    public record Isolation(FencePolicy.Level level, boolean required) {
        public static final Isolation DEFAULT = new Isolation(FencePolicy.Level.BY_DEFINITION, false);
    }

    /// Where the server shows what it does.
    ///
    /// @param httpListen where `/metrics`, `/healthz`, `/readyz` and `/plugins` are served; off when empty
    /// @param tracing where spans go; off when empty
    public record Outlets(Optional<InetSocketAddress> httpListen, Optional<TraceSettings> tracing) {
        public static final Outlets NONE = new Outlets(Optional.empty(), Optional.empty());
    }

    /// What was there before the server.
    ///
    /// @param version this program's version, as the version service and the first log line tell it
    /// @param environment the server's own environment, for finding programs and for masking secrets in logs
    /// @param exported variables that the server sets for its commands, as Argo CD's does with its log settings
    public record Surroundings(String version, Map<String, String> environment, Map<String, String> exported) {
        public Surroundings {
            environment = Map.copyOf(environment);
            exported = Map.copyOf(exported);
        }
    }

    /// Defaults for everything but the places.
    public static ServeOptions at(Path configDir, Path socketDir, Path workDir) {
        return new ServeOptions(
                new Places(configDir, socketDir, workDir, KeptFolders.NONE, RecycleOptions.DEFAULT),
                Times.DEFAULT,
                Rules.DEFAULT,
                Outlets.NONE,
                new Surroundings("v0", System.getenv(), Map.of()));
    }

    /// Where pages are served: nowhere when Argo CD's way was asked for, since its server has none.
    public Optional<InetSocketAddress> pagesAt() {
        return outlets.httpListen().filter(_ -> rules.departures().departs(Departure.METRICS));
    }

    public ServeOptions with(Places changed) {
        return new ServeOptions(changed, times, rules, outlets, surroundings);
    }

    public ServeOptions with(Times changed) {
        return new ServeOptions(places, changed, rules, outlets, surroundings);
    }

    public ServeOptions with(Rules changed) {
        return new ServeOptions(places, times, changed, outlets, surroundings);
    }

    public ServeOptions with(Outlets changed) {
        return new ServeOptions(places, times, rules, changed, surroundings);
    }
}

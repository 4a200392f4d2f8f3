package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.sidecar.ServeOptions;
import dev.remora.sidecar.SidecarServer;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.Mask;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/// `remora serve`: wires the plugin server, and ends it in order at SIGTERM and SIGINT.
final class ServeCommand {
    private ServeCommand() {}

    static int run(SettingValues settings, Console console) {
        ServeOptions options = ServeArguments.options(settings, console);
        if (settings.on(ServeSettings.CHECK)) {
            return StartRehearsal.run(options, settings, console);
        }
        refuseOtherSystems(System.getProperty("os.name", ""));
        Log log = new Log(
                ServeArguments.logSettings(settings, console),
                console.err(),
                InstantSource.system(),
                Mask.ofEnvironment(console.environment()));
        settings.ignored().forEach(log::warning);
        try (SidecarServer server = SidecarServer.start(options, log)) {
            Thread hook = new Thread(() -> stop(server), "signal");
            Runtime.getRuntime().addShutdownHook(hook);
            server.awaitStopped();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.DONE;
    }

    /// Runs when a signal ends the process. The JVM would end with 143 or 130 whatever happened; an orderly stop is 0,
    /// as
    /// Kubernetes and Argo CD's own server have it, and only halting can say so.
    private static void stop(SidecarServer server) {
        server.stop("signal");
        try {
            server.awaitStopped();
            Runtime.getRuntime().halt(ExitCode.DONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void refuseOtherSystems(String system) {
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            throw new Fault(
                    FaultCode.UNSUPPORTED_SYSTEM,
                    "serve needs Linux, and this is " + system
                            + "; render, explain and params work here, or run serve in a Linux container");
        }
    }

    /// What could not start ends with 20, flags included; an unknown log format with 1: both as Argo CD's server.
    /// A rehearsal tells by the fault's kind, so that CI can tell content from surroundings.
    static int exitCode(Fault fault, List<String> arguments) {
        if (fault.code() == FaultCode.USAGE) {
            boolean logFormat = fault.problems().stream()
                    .anyMatch(problem -> problem.message().startsWith(ServeSettings.LOG_FORMAT.flag() + ":")
                            || problem.message().startsWith(ServeSettings.LOG_FORMAT.variable() + ":"));
            return logFormat ? ExitCode.SERVE_LOG_FORMAT : ExitCode.SERVE_START;
        }
        return arguments.contains(ServeSettings.CHECK.flag()) ? ExitCode.of(fault) : ExitCode.SERVE_START;
    }
}

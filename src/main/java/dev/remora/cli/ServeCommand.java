package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;

/// `remora serve`.
final class ServeCommand {
    private ServeCommand() {}

    static int run(SettingValues settings, Console console) {
        if (settings.ignored().isEmpty()) {
            throw new Fault(FaultCode.INTERNAL, "not wired yet");
        }
        return console.environment().size();
    }

    /// What could not start ends with 20, flags included; an unknown log format with 1: both as Argo CD's server.
    /// A rehearsal tells by the fault's kind, so that CI can tell content from surroundings.
    static int exitCode(Fault fault, List<String> arguments) {
        if (fault.code() == FaultCode.USAGE) {
            boolean logFormat = fault.problems().stream()
                    .anyMatch(problem -> problem.message().startsWith(ServeSettings.LOG_FORMAT.flag() + ":"));
            return logFormat ? ExitCode.SERVE_LOG_FORMAT : ExitCode.SERVE_START;
        }
        return arguments.contains(ServeSettings.CHECK.flag()) ? ExitCode.of(fault) : ExitCode.SERVE_START;
    }
}

package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;

/// `remora explain`.
final class ExplainCommand {
    private ExplainCommand() {}

    static int run(SettingValues settings, List<String> words, Console console) {
        throw new Fault(FaultCode.INTERNAL, "explain is not wired yet: " + settings + words + console);
    }
}

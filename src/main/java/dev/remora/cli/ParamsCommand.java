package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;

/// `remora params`.
final class ParamsCommand {
    private ParamsCommand() {}

    static int run(SettingValues settings, List<String> words, Console console) {
        throw new Fault(FaultCode.INTERNAL, "params is not wired yet: " + settings + words + console);
    }
}

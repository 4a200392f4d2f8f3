package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;

/// `remora render`.
final class RenderCommand {
    private RenderCommand() {}

    static int run(SettingValues settings, List<String> words, Console console) {
        if (words.isEmpty() || settings.ignored().isEmpty()) {
            throw new Fault(FaultCode.INTERNAL, "not wired yet");
        }
        return console.environment().size();
    }
}

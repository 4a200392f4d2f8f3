package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.List;

/// `remora render`.
final class RenderCommand {
    private RenderCommand() {}

    static int run(SettingValues settings, List<String> words, Console console) {
        throw new Fault(FaultCode.INTERNAL, "render is not wired yet: " + settings + words + console);
    }
}

package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.RemoraSettings;
import dev.remora.sandbox.KernelSupport;
import dev.remora.telemetry.LogKey;
import dev.remora.telemetry.Meters.Gauge;
import java.util.ArrayList;
import java.util.List;

/// What the server says about its fences: of the kernel once, of each plugin when it is served.
final class IsolationNotes {
    private IsolationNotes() {}

    /// @throws Fault SANDBOX_UNSUPPORTED with `--require-sandbox` on a kernel that has not what it takes
    static void tellKernel(ServerParts parts) {
        KernelSupport kernel = parts.runner().kernel();
        refuse(parts.options(), kernel);
        parts.meters().watch(Gauge.SANDBOX_MISSING, "", () -> kernel.missing().size());
        if (!kernel.missing().isEmpty()) {
            parts.log().warning("sandbox: " + kernel.describe());
        }
    }

    /// Without the kernel's help there is no strict sandbox, and `--require-sandbox` asks for it.
    static void refuse(ServeOptions options, KernelSupport kernel) {
        if (options.rules().isolation().required() && !kernel.canBeStrict()) {
            throw new Fault(
                    FaultCode.SANDBOX_UNSUPPORTED,
                    "--require-sandbox: " + kernel.describe() + "; remora doctor tells more");
        }
    }

    /// The lines of one plugin, and its gauge.
    static void tell(ServerParts parts, PluginDefinition plugin) {
        String name = plugin.registeredName();
        boolean strict = parts.fences().isStrict(plugin);
        if (strict) {
            Thread _ = Thread.ofPlatform().daemon().name("system-files").start(parts.fences()::prepare);
        }
        KernelSupport kernel = parts.runner().kernel();
        boolean held = strict && kernel.canBeStrict();
        parts.meters().watch(Gauge.SANDBOX_STRICT, name, () -> held ? 1 : 0);
        if (strict && !held) {
            parts.log()
                    .warning(
                            name + ": its sandbox cannot be held here: this kernel lacks "
                                    + String.join(", ", kernel.lacking()),
                            LogKey.PLUGIN.is(name));
        }
        of(plugin, strict).forEach(line -> parts.log().info(name + ": " + line, LogKey.PLUGIN.is(name)));
    }

    static List<String> of(PluginDefinition plugin, boolean strict) {
        List<String> lines = new ArrayList<>();
        if (!strict) {
            lines.add("files are not fenced: its commands read and write what this server's user may; add"
                    + " `remora: {sandbox: {}}` to " + plugin.file() + ", or start with --sandbox=strict");
            return lines;
        }
        RemoraSettings.Sandbox block = plugin.settings().sandbox().orElse(RemoraSettings.Sandbox.STRICT);
        if (block.unixSockets()) {
            lines.add("sandbox.unixSockets lets its commands connect to every Unix socket of this container, this"
                    + " server's own included");
        } else if (plugin.provideGitCreds()) {
            lines.add("spec.provideGitCreds needs a Unix socket, which its sandbox refuses; add `remora: {sandbox:"
                    + " {unixSockets: true}}` if its commands fetch from Git");
        }
        return lines;
    }
}

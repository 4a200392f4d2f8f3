package dev.remora.cli;

import dev.remora.posix.Libc;
import dev.remora.sandbox.KernelSupport;
import dev.remora.sandbox.KernelSupport.Layer;
import java.util.ArrayList;
import java.util.List;

/// What this system and its kernel can fence: tried, not read from a version.
final class KernelChecks {
    /// What a strict sandbox cannot do without.
    private static final List<Layer> NEEDED = List.of(Layer.NO_NEW_PRIVILEGES, Layer.FILES, Layer.SYSTEM_CALLS);

    private KernelChecks() {}

    static List<Check> look() {
        List<Check> checks = new ArrayList<>();
        checks.add(Libc.unsupported()
                .map(why -> Check.fail("system", why, "run Remora in a Linux container with glibc"))
                .orElseGet(() -> Check.ok("system", "Linux, " + System.getProperty("os.arch") + ", glibc")));
        KernelSupport kernel = KernelSupport.probeThoroughly();
        for (Layer layer : Layer.values()) {
            checks.add(of(layer, kernel));
        }
        checks.add(
                kernel.canBeStrict()
                        ? Check.ok(
                                "sandbox",
                                "files and sockets can be fenced; a definition asks by remora: {sandbox: {}}")
                        : Check.fail(
                                "sandbox",
                                "files and sockets cannot be fenced; serve --require-sandbox would not start",
                                "use a node with Landlock and seccomp, or trust every plugin of this sidecar"));
        return checks;
    }

    private static Check of(Layer layer, KernelSupport kernel) {
        if (kernel.has(layer)) {
            return Check.ok(layer.word(), layer.promise());
        }
        String finding = layer.consequence() + " (" + kernel.missing().get(layer) + ")";
        String advice = "use a node with " + layer.since();
        return NEEDED.contains(layer)
                ? Check.fail(layer.word(), finding, advice)
                : Check.warn(layer.word(), finding, advice);
    }
}

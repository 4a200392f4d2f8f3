package dev.remora.render;

import dev.remora.discovery.Verdict;
import dev.remora.manifest.ManifestDocument;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.telemetry.Phases;
import java.util.List;

/// Where a plugin runs: in this process, or behind the socket of a plugin server. Both give the same answers; a test
/// holds them to that byte for byte. What is refused is a [dev.remora.fault.Fault].
public sealed interface PluginHost extends AutoCloseable permits LocalHost, SidecarHost {
    /// What people call it: the plugin's name, or its socket.
    String name();

    /// Whether the plugin wants the folder; that it cannot be asked is a fault.
    Verdict match(RenderRequest request, Phases phases);

    /// The manifests, in the order of the answer.
    List<ManifestDocument> generate(RenderRequest request, Phases phases);

    /// The parameters that the plugin announces for the folder.
    List<ParameterAnnouncement> announce(RenderRequest request, Phases phases);

    @Override
    void close();
}

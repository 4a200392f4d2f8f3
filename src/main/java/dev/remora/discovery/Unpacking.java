package dev.remora.discovery;

import dev.remora.archive.ArchiveLimits;
import dev.remora.archive.EntryFilter;
import dev.remora.archive.UnpackOptions;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.RemoraSettings;
import dev.remora.posix.Bytes;

/// How a plugin's archives are unpacked: its limits and file modes, less what is switched back to Argo CD's way.
public final class Unpacking {
    private Unpacking() {}

    /// For the sidecar and for a folder alike.
    ///
    /// @param application the application's path, as the request has it
    /// @param strict see [UnpackOptions]
    public static UnpackOptions options(
            PluginDefinition plugin, Bytes application, Departures departures, boolean strict) {
        boolean limited = departures.departs(Departure.UNPACK_LIMITS);
        RemoraSettings.Limits limits = plugin.settings().limits();
        ArchiveLimits archive = limited
                ? new ArchiveLimits(
                        limits.unpacked(), limits.files(), limits.nameLength(), limits.depth(), limits.ratio())
                : ArchiveLimits.NONE;
        return new UnpackOptions(
                archive,
                plugin.preserveFileMode(),
                departures.departs(Departure.LINKS),
                !limited,
                strict,
                EntryFilter.of(plugin.settings().inputs().patterns(), application));
    }
}

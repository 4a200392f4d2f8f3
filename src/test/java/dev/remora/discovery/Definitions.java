package dev.remora.discovery;

import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.RemoraSettings;
import java.util.List;

/// Definitions that differ in their discover rules only.
final class Definitions {
    private Definitions() {}

    static PluginDefinition with(DiscoverRule... rules) {
        return new PluginDefinition(
                "plugin.yaml",
                "some-plugin",
                "v1.0",
                CommandSpec.NONE,
                new CommandSpec(List.of("true"), List.of()),
                List.of(rules),
                List.of(),
                CommandSpec.NONE,
                false,
                false,
                RemoraSettings.DEFAULTS,
                List.of(),
                "");
    }
}

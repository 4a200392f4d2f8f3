package dev.remora.cli;

import dev.remora.application.PluginParameter;
import dev.remora.fault.Problem;
import dev.remora.fault.Proposal;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.plugin.PluginDefinition;
import java.util.ArrayList;
import java.util.List;

/// What is accepted about a definition, and about what it is given, but is probably a mistake.
final class PluginNotes {
    private PluginNotes() {}

    /// Sentences: keys that nothing reads or that stand twice, and parameters that the plugin does not know.
    static List<String> of(PluginDefinition plugin, List<PluginParameter> given) {
        List<String> all =
                new ArrayList<>(plugin.notes().stream().map(Problem::toString).toList());
        List<String> known = plugin.staticParameters().stream()
                .map(ParameterAnnouncement::name)
                .toList();
        // A plugin that announces nothing may take anything, and what a command announces is known only once it ran.
        if (known.isEmpty() || plugin.dynamicParameters().defined()) {
            return all;
        }
        for (PluginParameter parameter : given) {
            if (!known.contains(parameter.name())) {
                all.add(FolderSettings.PLUGIN_PARAM.flag() + " " + parameter.name() + ": " + plugin.registeredName()
                        + " announces no such parameter"
                        + Proposal.questionAndAll(parameter.name(), "parameters", known));
            }
        }
        return all;
    }
}

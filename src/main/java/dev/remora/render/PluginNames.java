package dev.remora.render;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Proposal;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Finds plugins by what Applications call them: the registered name, with the version if there is one.
final class PluginNames {
    private final PluginCatalog catalog;

    PluginNames(PluginCatalog catalog) {
        this.catalog = catalog;
    }

    /// The plugin of that name; for Argo CD the name is a path to a socket below the plugins' folder.
    ///
    /// @throws Fault PLUGIN_ABSENT with what there is
    KnownPlugin require(String name) {
        String cleaned = LexicalPath.clean(Bytes.utf8(name.replaceFirst("^/+", "") + KnownPlugin.SOCKET_SUFFIX))
                .toString();
        if (cleaned.startsWith("../")) {
            throw absent(
                    name,
                    "invalid socket file path, \"" + name + KnownPlugin.SOCKET_SUFFIX
                            + "\" is outside plugin socket dir");
        }
        String wanted = cleaned.substring(0, cleaned.length() - KnownPlugin.SOCKET_SUFFIX.length());
        return catalog.named(wanted).orElseThrow(() -> absent(name, "no plugin has that name" + nearest(wanted)));
    }

    private String nearest(String name) {
        if (catalog.plugins().isEmpty()) {
            return ", and none is known; name it with --plugin or --plugins-dir";
        }
        Optional<KnownPlugin> otherVersion = catalog.plugins().stream()
                .filter(plugin -> plugin instanceof KnownPlugin.Definition(PluginDefinition definition, String _)
                        && (definition.name().equals(name) || name.startsWith(definition.name() + "-")))
                .findFirst();
        String proposal = otherVersion
                .map(plugin -> version(plugin, name))
                .orElseGet(() -> Proposal.question(
                        name, catalog.plugins().stream().map(KnownPlugin::name).toList()));
        return proposal + "\n" + listed();
    }

    private static String version(KnownPlugin plugin, String name) {
        return plugin.name().length() > name.length()
                ? "; its version is a part of the name: " + plugin.name()
                : "; its name has another version, or none: " + plugin.name();
    }

    private String listed() {
        List<KnownPlugin> all = catalog.plugins();
        return all.stream()
                .map(plugin -> "  " + plugin.name() + " (" + plugin.from() + ")")
                .collect(Collectors.joining("\n"));
    }

    private static Fault absent(String name, String why) {
        return new Fault(
                FaultCode.PLUGIN_ABSENT,
                "could not find cmp-server plugin with name \"" + name + "\" supporting the given repository: " + why);
    }
}

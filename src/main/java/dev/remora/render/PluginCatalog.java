package dev.remora.render;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// All plugins that a run knows, in the order in which Argo CD would ask them: by the bytes of their sockets'
/// names. No two have one name.
public record PluginCatalog(List<KnownPlugin> plugins) {
    public static final PluginCatalog EMPTY = new PluginCatalog(List.of());

    public PluginCatalog {
        plugins = plugins.stream()
                .sorted(Comparator.comparing(KnownPlugin::order))
                .toList();
    }

    /// Reads all that is known.
    ///
    /// @param single values of `--plugin`: a `plugin.yaml`, a folder with one, a ConfigMap's file, or
    ///     `unix:SOCKET`
    /// @param folders values of `--plugins-dir`: folders of definitions, of ConfigMaps that carry one, of sockets
    /// @param directory what relative paths are relative to
    /// @throws dev.remora.fault.Fault with everything that is wrong
    public static PluginCatalog read(List<String> single, List<String> folders, Path directory) {
        PluginFiles files = new PluginFiles(directory);
        single.forEach(files::readSingle);
        folders.forEach(files::readFolder);
        return new PluginCatalog(files.plugins());
    }

    /// The plugin of that very name.
    public Optional<KnownPlugin> named(String name) {
        return plugins.stream().filter(plugin -> plugin.name().equals(name)).findFirst();
    }
}

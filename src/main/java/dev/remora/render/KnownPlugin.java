package dev.remora.render;

import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import java.nio.file.Path;

/// A plugin that an Application could be rendered by: a definition, or a server behind a socket.
public sealed interface KnownPlugin {
    String SOCKET_SUFFIX = ".sock";

    /// What `spec.source.plugin.name` says to get it.
    String name();

    /// The file name of its socket, by whose bytes Argo CD orders plugins.
    String socketName();

    /// Plugins are asked in this order.
    default Bytes order() {
        return Bytes.utf8(socketName());
    }

    /// Where it was found, for people: a file, a key of a ConfigMap, a socket.
    String from();

    /// A `plugin.yaml`.
    ///
    /// @param from the file, and within a ConfigMap the key
    record Definition(PluginDefinition plugin, String from) implements KnownPlugin {
        @Override
        public String name() {
            return plugin.registeredName();
        }

        @Override
        public String socketName() {
            return plugin.socketName();
        }
    }

    /// A running plugin server.
    ///
    /// @param from as people wrote it
    record Socket(Path socket, String from) implements KnownPlugin {
        @Override
        public String name() {
            String file = socketName();
            return file.endsWith(SOCKET_SUFFIX) ? file.substring(0, file.length() - SOCKET_SUFFIX.length()) : file;
        }

        @Override
        public String socketName() {
            return String.valueOf(socket.getFileName());
        }
    }
}

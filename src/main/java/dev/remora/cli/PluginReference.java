package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.PluginDefinitionReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a value of `--plugin` means.
sealed interface PluginReference {
    /// A ConfigMap, where definitions live, holds 1 MiB.
    int MAX_BYTES = 1 << 20;

    String SOCKET_PREFIX = "unix:";

    record Definition(PluginDefinition plugin) implements PluginReference {}

    record Socket(Path socket) implements PluginReference {}

    static PluginReference of(String value, Path directory) {
        if (value.startsWith(SOCKET_PREFIX)) {
            String path = value.substring(SOCKET_PREFIX.length());
            return new Socket(directory.resolve(path.startsWith("//") ? path.substring(2) : path));
        }
        Path given = directory.resolve(value);
        boolean folder = Files.isDirectory(given);
        Path file = folder ? given.resolve("plugin.yaml") : given;
        String shown = folder ? value + (value.endsWith("/") ? "" : "/") + "plugin.yaml" : value;
        return new Definition(PluginDefinitionReader.read(bytes(file, shown), shown));
    }

    private static byte[] bytes(Path file, String shown) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] all = in.readNBytes(MAX_BYTES + 1);
            if (all.length > MAX_BYTES) {
                throw new Fault(FaultCode.USAGE, "--plugin " + shown + " is larger than 1 MiB");
            }
            return all;
        } catch (IOException e) {
            String why = Files.exists(file) ? Fault.words(e) : "no such file";
            throw new Fault(FaultCode.USAGE, "--plugin " + shown + " cannot be read: " + why, e);
        }
    }
}

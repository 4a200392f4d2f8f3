package dev.remora.generation;

import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import java.util.List;

/// What a call is about, as far as reuse asks.
///
/// @param application the Application's name, for telling what changed since its last call
/// @param project its AppProject, empty when the call names none
/// @param path its path below the root, as the call has it
/// @param checksum the archive's, as announced; what is found by it counts only once the archive proves to have it
/// @param environment what the request brings, in order
public record ReuseQuestion(
        PluginDefinition plugin,
        String application,
        String project,
        Bytes path,
        String checksum,
        List<EnvironmentVariable> environment) {
    public ReuseQuestion {
        environment = List.copyOf(environment);
    }

    String who() {
        return plugin.registeredName() + "\n" + project + "\n" + application + "\n" + path;
    }
}

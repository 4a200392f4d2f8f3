package dev.remora.worker;

import dev.remora.posix.Bytes;
import dev.remora.process.CommandLimits;
import dev.remora.sandbox.Fence;
import dev.remora.workspace.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/// How a plugin's workers are started, and when they are started anew.
///
/// @param plugin for logs and figures
/// @param command program and arguments; nothing is added
/// @param surroundings what a worker gets that has this folder as its own
/// @param limits as for the plugin's commands; they hold for the process from its start on
/// @param bounds when it is started anew
/// @param max a call starts one more only while fewer are alive, over all plugins
public record WorkerSpec(
        String plugin,
        List<Bytes> command,
        Function<Workspace, Surroundings> surroundings,
        CommandLimits limits,
        Bounds bounds,
        int max) {
    public WorkerSpec {
        command = List.copyOf(command);
    }

    /// What is there for the process itself; what a request brings it gets with the request.
    ///
    /// @param environment `NAME=VALUE`
    public record Surroundings(List<Bytes> environment, Fence fence) {
        public Surroundings {
            environment = List.copyOf(environment);
        }
    }

    /// After what a worker is started anew.
    ///
    /// @param requests so many answers
    /// @param idle unused for so long
    /// @param memory more resident bytes than this
    /// @param growth so many more resident bytes than after its first answer
    public record Bounds(int requests, Duration idle, OptionalLong memory, long growth) {}
}

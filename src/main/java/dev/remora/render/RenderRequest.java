package dev.remora.render;

import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.Cancellation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What a plugin host is asked about one folder.
///
/// @param application the Application's name
/// @param path the application's folder below the root, as `spec.source.path`
/// @param project the Application's AppProject
/// @param environment what the repo-server would send, in order
/// @param timeout the time that the caller gives; empty: no limit
public record RenderRequest(
        SourceFolder folder,
        String application,
        Bytes path,
        String project,
        List<EnvironmentVariable> environment,
        Optional<Duration> timeout,
        Cancellation cancellation) {
    public RenderRequest {
        environment = List.copyOf(environment);
    }
}

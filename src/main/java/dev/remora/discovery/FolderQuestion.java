package dev.remora.discovery;

import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.workspace.RootedPath;
import java.util.List;

/// A folder about which a plugin is asked, with what a find command gets.
///
/// @param application the application's folder
/// @param environment what the request brings, in order
public record FolderQuestion(
        RootedPath application, List<EnvironmentVariable> environment, CallTime time, Cancellation cancellation) {
    public FolderQuestion {
        environment = List.copyOf(environment);
    }
}

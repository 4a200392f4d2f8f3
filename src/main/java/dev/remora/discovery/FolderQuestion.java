package dev.remora.discovery;

import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.process.Confinement;
import dev.remora.workspace.RootedPath;
import java.util.List;

/// A folder about which a plugin is asked, with what a find command gets.
///
/// @param application the application's folder
/// @param environment what the request brings, in order
/// @param confinement how the command is held
public record FolderQuestion(
        RootedPath application,
        List<EnvironmentVariable> environment,
        Confinement confinement,
        CallTime time,
        Cancellation cancellation) {
    public FolderQuestion {
        environment = List.copyOf(environment);
    }
}

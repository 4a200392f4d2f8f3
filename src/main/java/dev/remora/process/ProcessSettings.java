package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.telemetry.Log;
import java.time.Duration;
import java.util.Optional;

/// How this server runs commands.
///
/// @param searchPath the server's own PATH, on which bare program names are looked up
/// @param containment how a render's processes are told from all others
/// @param ending what happens to them
/// @param reapOrphans whether zombies that no render owns are reaped, such as those of `kubectl exec` where we are
///     process 1
/// @param closeGrace from TERM to KILL for what is still alive when a render is over
/// @param commandLog where each command's whole output is told, as by Argo CD's server; empty: nowhere
/// @param nameDeadlines whether a command that the caller's deadline ended is told as that; else as killed, as by Argo
///     CD's server
public record ProcessSettings(
        Bytes searchPath,
        Containment containment,
        Ending ending,
        boolean reapOrphans,
        Duration closeGrace,
        Optional<Log> commandLog,
        boolean nameDeadlines) {
    public static final Duration CLOSE_GRACE = Duration.ofSeconds(1);

    /// Nothing is logged, and deadlines are named.
    public ProcessSettings(
            Bytes searchPath, Containment containment, Ending ending, boolean reapOrphans, Duration closeGrace) {
        this(searchPath, containment, ending, reapOrphans, closeGrace, Optional.empty(), true);
    }

    /// What the server does unless told otherwise.
    public static ProcessSettings standard(Bytes searchPath) {
        return new ProcessSettings(searchPath, Containment.BEST, Ending.WHOLE_TREE, true, CLOSE_GRACE);
    }

    public ProcessSettings with(Ending changed, boolean reap) {
        return new ProcessSettings(searchPath, containment, changed, reap, closeGrace, commandLog, nameDeadlines);
    }

    /// Tells each command and all its output in `log`.
    public ProcessSettings loggingTo(Log log) {
        return new ProcessSettings(
                searchPath, containment, ending, reapOrphans, closeGrace, Optional.of(log), nameDeadlines);
    }

    public ProcessSettings withoutDeadlineNames() {
        return new ProcessSettings(searchPath, containment, ending, reapOrphans, closeGrace, commandLog, false);
    }

    /// How a render's processes are told from all others.
    public enum Containment {
        /// A signal domain where the kernel has it, else the marker; no containment where the system is not Linux.
        BEST,
        /// By a variable in their environment, their sessions and their ancestors. Best effort.
        MARKER,
        /// Not at all: the JDK's own way to start a process. For systems that are not Linux.
        NONE
    }

    /// What happens to a render's processes at a limit and at its end.
    public enum Ending {
        /// TERM to all that the render started, grace, KILL; nothing is alive when the render is closed.
        WHOLE_TREE,
        /// As Argo CD's own server: at a limit KILL to the command at once, TERM to its process group, KILL to the
        /// group five seconds later; at the end of the render the same to what is left of the group, in the
        /// background. What opened a session of its own lives on.
        AS_ARGOCD
    }
}

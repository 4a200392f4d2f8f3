package dev.remora.process;

import dev.remora.posix.Bytes;
import java.time.Duration;

/// How this server runs commands.
///
/// @param searchPath the server's own PATH, on which bare program names are looked up
/// @param containment how a render's processes are told from all others
/// @param ending what happens to them
/// @param reapOrphans whether zombies that no render owns are reaped, such as those of `kubectl exec` where we are
///     process 1
/// @param closeGrace from TERM to KILL for what is still alive when a render is over
public record ProcessSettings(
        Bytes searchPath, Containment containment, Ending ending, boolean reapOrphans, Duration closeGrace) {
    public static final Duration CLOSE_GRACE = Duration.ofSeconds(1);

    /// What the server does unless told otherwise.
    public static ProcessSettings standard(Bytes searchPath) {
        return new ProcessSettings(searchPath, Containment.BEST, Ending.WHOLE_TREE, true, CLOSE_GRACE);
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

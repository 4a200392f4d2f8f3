package dev.remora.process;

import java.util.Optional;

/// How a command ended. Whatever the answer but [Exited] and [Signalled], nothing of the render is alive any more.
public sealed interface Outcome {
    Captured output();

    /// It ended by itself; 0 is success.
    record Exited(int status, Captured output) implements Outcome {}

    /// It was ended by a signal that we did not send.
    ///
    /// @param outOfMemory whether the container's memory ran out meanwhile, as the cgroup counts it
    /// @param limit the setting whose bound the kernel enforced by this signal: `limits.cpu` or `limits.fileSize`
    record Signalled(int signal, boolean coreDumped, boolean outOfMemory, Optional<String> limit, Captured output)
            implements Outcome {}

    /// A limit of time fired.
    ///
    /// @param started false if no time was left to start it at all
    /// @param heldOpen where the command itself had ended in time: who kept its output open, in words
    record TimedOut(TimeLimit limit, boolean started, Optional<String> heldOpen, Captured output) implements Outcome {}

    /// The caller went away, or the server stops.
    record Cancelled(String reason, Captured output) implements Outcome {}

    /// It printed more than it may.
    record OutputTooLarge(long limit, Captured output) implements Outcome {}

    /// The render had more processes than it may.
    record TooManyProcesses(int limit, Captured output) implements Outcome {}

    /// It did not start.
    ///
    /// @param cause in the words of Argo CD's own server, such as
    ///     `exec: "kapitan": executable file not found in $PATH`
    /// @param detail what these words leave out: the folder that is missing, the variable that is too long
    /// @param errno the kernel's error, 0 where it was not asked
    record NotStarted(String cause, Optional<String> detail, int errno, Captured output) implements Outcome {
        /// Both in one line.
        public String text() {
            return detail.map(more -> cause + " (" + more + ")").orElse(cause);
        }
    }
}

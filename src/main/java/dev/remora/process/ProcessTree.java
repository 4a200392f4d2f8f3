package dev.remora.process;

/// Everything that one render starts. The commands of one render run one after another; what they leave running in
/// the background lives on until the tree is closed, so that a later command of the same render may use it.
public sealed interface ProcessTree extends AutoCloseable permits ContainedTree, PlainTree, LoggedTree {
    /// Runs one command to its end. Blocks the caller, who may be a virtual thread; interrupting him cancels.
    Outcome run(Command command, TimeLimits time, Cancellation cancellation);

    /// As [#run], for the command after which the tree is closed: what it leaves running may be ended before the
    /// outcome
    /// is given. The tree must still be closed.
    default Outcome runLast(Command command, TimeLimits time, Cancellation cancellation) {
        return run(command, time, cancellation);
    }

    /// Ends what is still alive: TERM, a short grace, KILL. Returns when nothing is alive and all is reaped.
    @Override
    void close();
}

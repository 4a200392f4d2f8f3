package dev.remora.process;

import dev.remora.posix.ProcessIdentity;
import dev.remora.posix.Processes;

/// The hard stop behind the watcher of `limits.processes`: the kernel's bound on the tasks of one user, which a command
/// has from its first instruction because we lower our own while we start it. (A bound set on a running command comes
/// too late: a fork bomb has children by then.)
///
/// The kernel counts the user's tasks on the whole machine, in every container; so the bound is all tasks that the
/// machine has now, plus what a render may have. That is above what we ourselves need in the moment of starting. It
/// does not hold for root.
///
/// Guarded by its monitor, which only renders' threads take.
final class ProcessesPerUser {
    private final boolean holds = ProcessIdentity.user() != 0;
    private int starting;
    private long most;
    private long own = -1;

    /// Whether the kernel keeps the bound for our user.
    boolean holds() {
        return holds;
    }

    /// Before a command is started. Every call is answered by one of [#leave].
    synchronized void enter(int processes) {
        if (!holds) {
            return;
        }
        long tasks =
                ProcessTable.loadAverage().map(ProcessTable.LoadAverage::tasks).orElse((long) Integer.MAX_VALUE);
        if (starting++ == 0) {
            own = Processes.softLimit(Processes.OURSELVES, Processes.RLIMIT_NPROC);
            most = 0;
        }
        most = Math.max(most, tasks + processes);
        if (Long.compareUnsigned(most, own) < 0) {
            long _ = Processes.limitSoftly(Processes.OURSELVES, Processes.RLIMIT_NPROC, most);
        }
    }

    /// When it runs, or has failed to.
    synchronized void leave() {
        if (holds && --starting == 0) {
            long _ = Processes.limitSoftly(Processes.OURSELVES, Processes.RLIMIT_NPROC, own);
        }
    }
}

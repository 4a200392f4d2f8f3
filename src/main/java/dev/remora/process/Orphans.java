package dev.remora.process;

import dev.remora.posix.OpenProcFile;
import dev.remora.posix.Processes;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/// The children that the kernel gave us because their parents died. It gives them to the first thread of the process,
/// so they stand in that thread's list of children, while a command stands in the list of the thread that started it:
/// nobody reaps a running command by mistake.
///
/// The list is read while it changes, and a reader may miss an entry if another is reaped meanwhile. So whoever reads
/// to be sure that nothing is left, and whoever reaps, holds the one lock. Only platform threads take it.
///
/// The list is kept open: without a descriptor to open it by, it would seem that nobody is left.
final class Orphans implements AutoCloseable {
    private final ProcessTable table;
    private final Optional<OpenProcFile> children;

    Orphans(ProcessTable table) {
        this.table = table;
        this.children = table.ownChildren();
    }

    List<Integer> list() {
        return children.map(ProcessTable::numbers).orElseGet(() -> table.ofThread(ProcessTable.self()));
    }

    /// Whether one of those that `mine` accepts is alive. The dead ones are reaped.
    synchronized boolean anyAlive(IntPredicate mine) {
        boolean alive = false;
        for (int pid : list()) {
            if (mine.test(pid) && Processes.reap(pid).isEmpty()) {
                alive = true;
            }
        }
        return alive;
    }

    @Override
    public void close() {
        children.ifPresent(OpenProcFile::close);
    }
}

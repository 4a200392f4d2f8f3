package dev.remora.archive;

import dev.remora.posix.ErrnoException;
import dev.remora.workspace.TreeRecord;

/// Does what takes space, and does it again as long as somebody gives space back for it.
final class SpaceNeed {
    private SpaceNeed() {}

    /// What takes space. It goes on where it stopped.
    @FunctionalInterface
    interface Step {
        void run() throws ErrnoException;
    }

    static void with(TreeRecord record, Step step) throws ErrnoException {
        while (true) {
            try {
                step.run();
                return;
            } catch (ErrnoException e) {
                if (!e.isFull()) {
                    throw e;
                }
                if (!record.makeRoom()) {
                    step.run(); // A last time: others may have given space back meanwhile.
                    return;
                }
            }
        }
    }
}

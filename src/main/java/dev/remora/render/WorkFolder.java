package dev.remora.render;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.WorkRootOptions;
import dev.remora.workspace.Workspace;

/// An empty folder for one render: removed when closed, or kept.
interface WorkFolder extends AutoCloseable {
    Bytes path();

    Directory directory();

    @Override
    void close();

    static WorkFolder temporary(Bytes base) {
        WorkRoot root = WorkRoot.open(WorkRootOptions.at(base, fault -> {}));
        return new Temporary(root, root.open());
    }

    /// `work` below `parent`, which stays.
    static WorkFolder kept(Bytes parent) {
        Bytes path = parent.slash(Bytes.utf8("work"));
        try {
            Directory.make(path, 0755);
            Directory directory = Directory.open(path);
            return new Kept(directory.realPath(), directory);
        } catch (ErrnoException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot make " + path + ": " + e.reason(), e);
        }
    }

    /// One of a [WorkRoot]'s folders, with a root of its own.
    record Temporary(WorkRoot root, Workspace workspace) implements WorkFolder {
        @Override
        public Bytes path() {
            return workspace.path();
        }

        @Override
        public Directory directory() {
            return workspace.dir();
        }

        @Override
        public void close() {
            workspace.close();
            root.close();
        }
    }

    record Kept(Bytes path, Directory directory) implements WorkFolder {
        @Override
        public void close() {
            directory.close();
        }
    }
}

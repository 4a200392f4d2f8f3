package dev.remora.render;

import dev.remora.archive.EntrySink;
import dev.remora.archive.UnpackOptions;
import dev.remora.archive.WorkspaceSink;
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
    /// `work` below the folder of `--keep`.
    Bytes WORK = Bytes.utf8("work");

    Bytes path();

    /// Writes a packed folder here.
    EntrySink sink(UnpackOptions options);

    @Override
    void close();

    static WorkFolder temporary(Bytes base) {
        WorkRoot root = WorkRoot.open(WorkRootOptions.at(base, fault -> {}).forThisUser());
        return new Temporary(root, root.open());
    }

    /// `work` below `parent`, which stays.
    static WorkFolder kept(Bytes parent) {
        Bytes path = parent.slash(WORK);
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
        public EntrySink sink(UnpackOptions options) {
            return new WorkspaceSink(workspace, options);
        }

        @Override
        public void close() {
            workspace.close();
            root.close();
        }
    }

    record Kept(Bytes path, Directory directory) implements WorkFolder {
        @Override
        public EntrySink sink(UnpackOptions options) {
            return new WorkspaceSink(directory, path, options);
        }

        @Override
        public void close() {
            directory.close();
        }
    }
}

package dev.remora.render;

import dev.remora.archive.EntrySink;
import dev.remora.archive.UnpackOptions;
import dev.remora.archive.WorkspaceSink;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.generation.FencePolicy;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;

/// An empty folder for one render: removed when closed, or kept.
interface WorkFolder extends AutoCloseable, FencePolicy.Folders {
    /// `work` below the folder of `--keep`.
    Bytes WORK = Bytes.utf8("work");

    int PRIVATE = 0700;

    Bytes path();

    @Override
    default Bytes tree() {
        return path();
    }

    /// Writes a packed folder here.
    EntrySink sink(UnpackOptions options);

    /// Whether it holds already what it would be filled with; commands may start then.
    default boolean isFilled() {
        return false;
    }

    /// It is filled, and commands may start after this.
    default void filled() {}

    @Override
    void close();

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

    record Kept(Bytes path, Directory directory) implements WorkFolder {
        @Override
        public EntrySink sink(UnpackOptions options) {
            return new WorkspaceSink(directory, path, options);
        }

        @Override
        public Bytes privateHome() {
            return beside("home");
        }

        @Override
        public Bytes privateTmp() {
            return beside("tmp");
        }

        private Bytes beside(String name) {
            Bytes made = path.slice(0, path.lastIndexOf((byte) '/')).slash(Bytes.utf8(name));
            try {
                Directory.make(made, PRIVATE);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EEXIST) {
                    throw new Fault(FaultCode.WORKSPACE, "cannot make " + made + ": " + e.reason(), e);
                }
            }
            return made;
        }

        @Override
        public void close() {
            directory.close();
        }
    }
}

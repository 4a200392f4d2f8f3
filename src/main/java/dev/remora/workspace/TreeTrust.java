package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.FileSystem;
import dev.remora.posix.OpenFile;
import dev.remora.posix.OpenWatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// How far a file system's ctime can be trusted to betray a change: tried on a file, not read from a table. The table
/// is of those whose makers keep inode numbers and times with the inode; overlays, network and FAT file systems make
/// them up.
sealed interface TreeTrust {
    /// Every change moves ctime.
    record ByTimes() implements TreeTrust {}

    /// A write through a shared mapping does not, so a file that was opened is compared by content.
    ///
    /// @param openingsTold whether the kernel tells which were ([Openings]); all are compared where it does not
    record ByContent(boolean openingsTold) implements TreeTrust {}

    /// No tree is used again.
    ///
    /// @param reason as the rest of a sentence
    record None(String reason) implements TreeTrust {}

    /// Tries it in `directory`, which lies at `path`, for a few ticks of the clock.
    static TreeTrust of(Directory directory, Bytes path, FileSystemClock clock) throws ErrnoException {
        long type = FileSystem.of(directory).type();
        if (!Trial.KNOWN.containsKey(type)) {
            String name = type == FileSystem.OVERLAY ? "an overlay" : "of type 0x" + Long.toHexString(type);
            return new None("the work folder's file system is " + name
                    + ", where a changed file cannot be told; mount an emptyDir there");
        }
        return new Trial(directory, path, clock).run();
    }

    /// One trial.
    record Trial(Directory directory, Bytes path, FileSystemClock clock) {
        static final Map<Long, String> KNOWN = Map.of(
                FileSystem.EXT, "ext4",
                FileSystem.TMPFS, "tmpfs",
                FileSystem.XFS, "xfs",
                FileSystem.BTRFS, "btrfs",
                FileSystem.F2FS, "f2fs");

        private static final Bytes FILE = Bytes.utf8("trial");
        private static final Bytes UPPER = Bytes.utf8("TRIAL");
        private static final Bytes MOVED = Bytes.utf8("moved");
        private static final int PRIVATE = 0600;
        private static final long LONGEST_TICK_NANOS = 50_000_000;
        private static final long PAUSE_NANOS = 500_000;

        private TreeTrust run() throws ErrnoException {
            try (OpenFile file = directory.openOrCreateFile(FILE, PRIVATE)) {
                file.write(ByteBuffer.wrap(new byte[] {1}));
                if (directory.find(UPPER).isPresent()) {
                    return new None("the work folder does not tell upper case from lower");
                }
                if (!ticksOften(file)) {
                    return new None("the clock of the work folder's file system ticks too rarely");
                }
                boolean writes = moves(file, () -> file.write(ByteBuffer.wrap(new byte[] {2})));
                boolean modes = moves(file, () -> file.changeMode(PRIVATE));
                if (!writes || !modes) {
                    return new None("the work folder's file system does not show when a file was changed");
                }
                return moves(file, file::changeThroughMapping)
                        ? new ByTimes()
                        : new ByContent(tellsOpenings() && moves(file, this::away));
            } finally {
                directory.remove(FILE);
            }
        }

        /// Out of its folder, where its openings are told, and back.
        private void away() throws ErrnoException {
            directory.rename(FILE, directory, MOVED);
            directory.rename(MOVED, directory, FILE);
        }

        private boolean tellsOpenings() {
            List<Bytes> told = new ArrayList<>();
            try (OpenWatch watch = OpenWatch.open()) {
                int _ = watch.add(path);
                directory.openFile(FILE).close();
                boolean whole = watch.take((folder, name, isFolder) -> told.add(name));
                return whole && told.contains(FILE);
            } catch (ErrnoException e) {
                return false;
            }
        }

        /// Twice in a row: a clock of seconds may tick once at the right moment.
        private boolean ticksOften(OpenFile file) throws ErrnoException {
            if (!ticks(file)) {
                return false;
            }
            file.changeMode(PRIVATE);
            return ticks(file);
        }

        /// Whether the clock gets past the file's ctime soon.
        private boolean ticks(OpenFile file) throws ErrnoException {
            long since = file.status().changedNanos();
            long until = System.nanoTime() + LONGEST_TICK_NANOS;
            while (clock.now() <= since) {
                if (System.nanoTime() - until > 0) {
                    return false;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return true;
        }

        private interface Change {
            void make() throws ErrnoException;
        }

        private boolean moves(OpenFile file, Change change) throws ErrnoException {
            boolean _ = ticks(file);
            FileStatus before = file.status();
            change.make();
            FileStatus after = file.status();
            return after.changedNanos() > before.changedNanos() && after.inode() == before.inode();
        }
    }
}

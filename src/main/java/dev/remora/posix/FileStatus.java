package dev.remora.posix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What the kernel says about a file (`statx(2)`, whose layout is the same on all processors).
///
/// @param mode the 12 permission bits
/// @param modifiedSeconds since 1970, rounded down
/// @param changedNanos time of the last change of content or status, in nanoseconds since 1970
/// @param attributes the file system's own flags (`STATX_ATTR_…`), such as "append only"
public record FileStatus(
        FileType type,
        int mode,
        long size,
        long inode,
        long device,
        long links,
        int owner,
        int group,
        long modifiedSeconds,
        long changedNanos,
        long attributes) {
    static final long STRUCT_SIZE = 256;
    static final int BASIC_STATS = 0x7ff;

    private static final int PERMISSIONS = 07777;
    private static final long NANOS = 1_000_000_000L;

    static FileStatus of(MemorySegment statx) {
        int mode = statx.get(ValueLayout.JAVA_SHORT, 28) & 0xFFFF;
        long changed = statx.get(ValueLayout.JAVA_LONG, 96) * NANOS + statx.get(ValueLayout.JAVA_INT, 104);
        long device = (long) statx.get(ValueLayout.JAVA_INT, 136) << 32 | statx.get(ValueLayout.JAVA_INT, 140);
        return new FileStatus(
                FileType.ofMode(mode),
                mode & PERMISSIONS,
                statx.get(ValueLayout.JAVA_LONG, 40),
                statx.get(ValueLayout.JAVA_LONG, 32),
                device,
                statx.get(ValueLayout.JAVA_INT, 16) & 0xFFFF_FFFFL,
                statx.get(ValueLayout.JAVA_INT, 20),
                statx.get(ValueLayout.JAVA_INT, 24),
                statx.get(ValueLayout.JAVA_LONG, 112),
                changed,
                statx.get(ValueLayout.JAVA_LONG, 8));
    }

    public boolean isDirectory() {
        return type == FileType.DIRECTORY;
    }

    public boolean isSymlink() {
        return type == FileType.SYMLINK;
    }

    public boolean isRegular() {
        return type == FileType.REGULAR;
    }
}

package dev.remora.posix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What the kernel says about the file system that holds a directory (`statfs(2)` of 64-bit machines).
///
/// @param type the magic number of its kind
/// @param size in bytes; `free` of them for us
/// @param inodes in all, 0 where it does not count them; `freeInodes` of them unused
public record FileSystem(long type, long size, long free, long inodes, long freeInodes) {
    public static final long EXT = 0xEF53;
    public static final long TMPFS = 0x01021994;
    public static final long XFS = 0x58465342;
    public static final long BTRFS = 0x9123683EL;
    public static final long F2FS = 0xF2F52010L;
    public static final long OVERLAY = 0x794C7630;

    private static final long STRUCT_SIZE = 120;
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    public static FileSystem of(Directory directory) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            MemorySegment status = libc.buffer(STRUCT_SIZE);
            long result = libc.call(CFunction.FSTATFS, directory.descriptor(), status.address());
            if (result < 0) {
                throw new ErrnoException((int) -result, "statfs");
            }
            long block = status.get(ValueLayout.JAVA_LONG, 8);
            return new FileSystem(
                    status.get(ValueLayout.JAVA_LONG, 0) & UNSIGNED,
                    status.get(ValueLayout.JAVA_LONG, 16) * block,
                    status.get(ValueLayout.JAVA_LONG, 32) * block,
                    status.get(ValueLayout.JAVA_LONG, 40),
                    status.get(ValueLayout.JAVA_LONG, 48));
        }
    }
}

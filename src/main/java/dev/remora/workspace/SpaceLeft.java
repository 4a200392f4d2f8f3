package dev.remora.workspace;

import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileSystem;
import dev.remora.posix.ProcFile;
import java.util.Optional;

/// Whether what is kept for later is in the way of what is needed now: the work folder's file system is nearly full, or
/// it lies in memory and the container's memory is.
record SpaceLeft(Directory directory) {
    private static final long SMALL_PART = 20;
    private static final long ENOUGH_BYTES = 256L << 20;
    private static final long ENOUGH_INODES = 10_000;
    private static final long MEMORY_PART = 10;
    private static final String GROUP = "/sys/fs/cgroup/";
    private static final int MOST_BYTES = 16 << 10;
    private static final String INACTIVE = "inactive_file ";

    boolean isScarce() {
        try {
            FileSystem system = FileSystem.of(directory);
            return isLow(system.free(), system.size(), ENOUGH_BYTES)
                    || isLow(system.freeInodes(), system.inodes(), ENOUGH_INODES)
                    || (system.type() == FileSystem.TMPFS && isMemoryScarce());
        } catch (ErrnoException e) {
            return false;
        }
    }

    /// Below a twentieth, unless that is plenty. A file system that does not count has 0 in all.
    static boolean isLow(long free, long all, long enough) {
        return all > 0 && free < Math.min(all / SMALL_PART, enough);
    }

    private static boolean isMemoryScarce() {
        Optional<Long> most = number("memory.max");
        Optional<Long> used = number("memory.current");
        return most.isPresent() && used.isPresent() && isNearlyUsedUp(used.get() - cache(), most.get());
    }

    static boolean isNearlyUsedUp(long used, long most) {
        return used > most - most / MEMORY_PART;
    }

    /// `max` is no number: no limit.
    private static Optional<Long> number(String file) {
        return ProcFile.text(GROUP + file, MOST_BYTES)
                .map(String::strip)
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::parseLong);
    }

    /// What the kernel gives back by itself.
    private static long cache() {
        return ProcFile.text(GROUP + "memory.stat", MOST_BYTES).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(INACTIVE))
                .mapToLong(
                        line -> Long.parseLong(line.substring(INACTIVE.length()).strip()))
                .findFirst()
                .orElse(0);
    }
}

package dev.remora.workspace;

import java.time.Duration;

/// How much of what was unpacked is kept for the next request.
///
/// @param trees idle at once; 0: a tree is removed after its request
/// @param bytes in the files of all idle trees
/// @param inodes that all trees, also lent ones, may have and still be kept: each costs memory too
/// @param age after which an unused tree is removed
public record RecycleOptions(int trees, long bytes, long inodes, Duration age) {
    public static final RecycleOptions DEFAULT = new RecycleOptions(8, 1L << 30, 100_000, Duration.ofMinutes(30));

    /// Argo CD's way: every request gets an empty folder, which is removed after it.
    public static final RecycleOptions OFF = new RecycleOptions(0, 0, 0, Duration.ZERO);

    public RecycleOptions {
        if (trees < 0 || bytes < 0 || inodes < 0 || age.isNegative()) {
            throw new IllegalArgumentException("a bound is 0 or positive");
        }
    }

    public boolean on() {
        return trees > 0;
    }
}

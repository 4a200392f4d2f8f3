package dev.remora.yaml;

/// Counts nodes as if every alias were written out, and says when too many of them come from aliases: the attack is a
/// few lines that stand for billions of nodes. Bounds are go-yaml's: nearly everything may be an alias in a small
/// document (400,000 nodes), a tenth in a large one (4,000,000). Counts only grow.
final class AliasGuard {
    private static final int FREE_ALIASED = 100;
    private static final int FREE_NODES = 1000;
    private static final double SMALL = 400_000;
    private static final double LARGE = 4_000_000;
    private static final double SMALL_RATIO = 0.99;
    private static final double LARGE_RATIO = 0.10;
    /// Above every bound, far from overflow.
    private static final long CEILING = 1L << 60;

    private long nodes;
    private long aliased;
    private boolean used;

    long count() {
        return nodes;
    }

    boolean used() {
        return used;
    }

    void node() {
        nodes++;
    }

    /// Takes back nodes that go-yaml does not decode.
    void unnode(int count) {
        nodes -= count;
    }

    /// Counts a subtree of `size` nodes that an alias stands for; false when that is too much.
    boolean alias(long size) {
        used = true;
        nodes = Math.min(CEILING, nodes + size);
        aliased = Math.min(CEILING, aliased + size);
        return aliased <= FREE_ALIASED || nodes <= FREE_NODES || (double) aliased / nodes <= allowedRatio();
    }

    private double allowedRatio() {
        if (nodes <= SMALL) {
            return SMALL_RATIO;
        }
        if (nodes >= LARGE) {
            return LARGE_RATIO;
        }
        return SMALL_RATIO - (SMALL_RATIO - LARGE_RATIO) * ((nodes - SMALL) / (LARGE - SMALL));
    }
}

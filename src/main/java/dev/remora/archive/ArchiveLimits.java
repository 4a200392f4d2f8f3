package dev.remora.archive;

/// How much an archive may ask of us. A value of 0 means no limit.
///
/// @param unpacked bytes of the unpacked stream, headers included
/// @param files entries, and directories that entries imply
/// @param nameLength bytes of an entry's name or of a link's text
/// @param depth directories above and including an entry
/// @param ratio unpacked bytes for one compressed byte; looked at above [#RATIO_FLOOR] only, because a few zeros
///     compress as well as many
public record ArchiveLimits(long unpacked, long files, int nameLength, int depth, int ratio) {
    /// A file of zeros below this size is no bomb, however small it was packed.
    static final long RATIO_FLOOR = 64L << 20;

    public static final ArchiveLimits DEFAULT = new ArchiveLimits(8L << 30, 1_000_000, 4096, 128, 1000);

    /// Argo CD's way.
    public static final ArchiveLimits NONE = new ArchiveLimits(0, 0, 0, 0, 0);

    public ArchiveLimits {
        if (unpacked < 0 || files < 0 || nameLength < 0 || depth < 0 || ratio < 0) {
            throw new IllegalArgumentException("a limit is 0 (none) or positive");
        }
    }

    /// Written out: the quick compiler makes a record's own slow, and every call asks for this text.
    @Override
    public String toString() {
        return "unpacked=" + unpacked + " files=" + files + " name=" + nameLength + " depth=" + depth + " ratio="
                + ratio;
    }

    static boolean above(long value, long limit) {
        return limit > 0 && value > limit;
    }
}

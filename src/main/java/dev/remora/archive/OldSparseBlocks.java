package dev.remora.archive;

import java.util.ArrayList;
import java.util.List;

/// The map of a sparse file in GNU's old form (type `S`): four parts in the header's block, 21 in each that follows.
/// Argo CD drops such a file, but not before its map was read: one that is wrong fails the archive there.
final class OldSparseBlocks {
    private static final int HEADER_FROM = 386;
    private static final int HEADER_PARTS = 4;
    private static final int HEADER_MORE = 482;
    private static final int MORE_PARTS = 21;
    private static final int MORE = 504;
    private static final int REAL_SIZE = 483;
    private static final int NUMBER = 12;

    private final List<Long> numbers = new ArrayList<>();
    private final long size;
    private int bytes = NUMBER * 2 * HEADER_PARTS + 1;
    private boolean more;

    OldSparseBlocks(TarHeader header, byte[] block) {
        if (!header.gnu()) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        size = TarFields.number(block, REAL_SIZE, REAL_SIZE + NUMBER);
        add(block, HEADER_FROM, HEADER_PARTS);
        more = block[HEADER_MORE] != 0;
    }

    /// Takes a block of more parts.
    void add(byte[] block) {
        bytes += NUMBER * 2 * MORE_PARTS + 1;
        if (bytes >= TarEntries.MOST_SPECIAL) {
            throw new TarGzException(TarGzException.TAR_SPARSE_TOO_LONG);
        }
        add(block, 0, MORE_PARTS);
        more = block[MORE] != 0;
    }

    private void add(byte[] block, int from, int parts) {
        for (int i = 0; i < parts; i++) {
            int at = from + 2 * NUMBER * i;
            if (block[at] == 0) {
                return;
            }
            numbers.add(TarFields.number(block, at, at + NUMBER));
            numbers.add(TarFields.number(block, at + NUMBER, at + 2 * NUMBER));
        }
    }

    boolean hasMore() {
        return more;
    }

    SparseMap map() {
        return SparseMap.ofNumbers(numbers, size);
    }
}

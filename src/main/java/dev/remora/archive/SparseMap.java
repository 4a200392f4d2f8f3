package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.util.List;

/// Where the parts of a PAX sparse file go.
final class SparseMap {
    private static final List<Bytes> SIGNS = List.of(Bytes.utf8("GNU.sparse.major"), Bytes.utf8("GNU.sparse.map"));

    private SparseMap() {}

    static boolean isMentioned(PaxRecords records) {
        return SIGNS.stream().anyMatch(key -> records.get(key).isPresent());
    }
}

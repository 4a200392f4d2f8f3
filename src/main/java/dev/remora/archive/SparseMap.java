package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where the parts of a sparse file go: what the archive holds are the parts in a row, the rest is zeros. GNU tar has
/// four forms of it, read as Go's `archive/tar` reads them (docs/spec/archive.md, "Tar dialects"): PAX records (0.0 and
/// 0.1), lines in front of the content (1.0), and blocks behind the header (the old form).
///
/// @param fragments in order, none overlapping another, all below `size`
/// @param size of the whole file
record SparseMap(List<Fragment> fragments, long size) {
    /// A part with content.
    record Fragment(long offset, long length) {
        long end() {
            return offset + length;
        }
    }

    /// Where a PAX entry keeps its map.
    enum Kind {
        NONE,
        RECORDS,
        CONTENT
    }

    /// As in Go's reader.
    static final int MOST_FRAGMENTS = 1 << 20;

    private static final Bytes MAJOR = Bytes.utf8("GNU.sparse.major");
    private static final Bytes MINOR = Bytes.utf8("GNU.sparse.minor");
    private static final Bytes MAP = Bytes.utf8("GNU.sparse.map");
    private static final Bytes COUNT = Bytes.utf8("GNU.sparse.numblocks");
    private static final Bytes NAME = Bytes.utf8("GNU.sparse.name");
    private static final Bytes SIZE = Bytes.utf8("GNU.sparse.size");
    private static final Bytes REAL_SIZE = Bytes.utf8("GNU.sparse.realsize");
    private static final Bytes ZERO = Bytes.utf8("0");
    private static final Bytes ONE = Bytes.utf8("1");

    /// @throws TarGzException where parts overlap, are out of order or lie beyond the end
    SparseMap {
        fragments = List.copyOf(fragments);
        long end = 0;
        boolean valid = size >= 0;
        for (Fragment fragment : fragments) {
            valid &= fragment.offset() >= end
                    && fragment.length() >= 0
                    && fragment.offset() <= Long.MAX_VALUE - fragment.length()
                    && fragment.end() <= size;
            end = valid ? fragment.end() : 0;
        }
        if (!valid) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
    }

    /// An unknown version is no sparse file, as in Go.
    static Kind kind(PaxRecords records) {
        Optional<Bytes> major = records.get(MAJOR);
        Optional<Bytes> minor = records.get(MINOR);
        if (major.isEmpty() && minor.isEmpty()) {
            return records.get(MAP).isPresent() ? Kind.RECORDS : Kind.NONE;
        }
        boolean zero = minor.filter(ZERO::equals).isPresent();
        if (major.filter(ZERO::equals).isPresent()
                && (zero || minor.filter(ONE::equals).isPresent())) {
            return Kind.RECORDS;
        }
        return major.filter(ONE::equals).isPresent() && zero ? Kind.CONTENT : Kind.NONE;
    }

    /// The name that the file has; the entry's own says where an old tar would put it.
    static Bytes name(PaxRecords records, Bytes otherwise) {
        return records.get(NAME).orElse(otherwise);
    }

    static long size(PaxRecords records, long otherwise) {
        return records.get(SIZE)
                .or(() -> records.get(REAL_SIZE))
                .map(TarFields::decimal)
                .orElse(otherwise);
    }

    static SparseMap ofRecords(PaxRecords records, long size) {
        long count = TarFields.decimal(records.get(COUNT).orElse(Bytes.EMPTY));
        List<Long> numbers = new ArrayList<>();
        Bytes map = records.get(MAP).orElse(Bytes.EMPTY);
        for (int from = 0; from < map.length(); ) {
            int comma = map.indexOf((byte) ',', from);
            int end = comma < 0 ? map.length() : comma;
            numbers.add(TarFields.decimal(map.slice(from, end)));
            if (comma == map.length() - 1) {
                throw new TarGzException(TarGzException.TAR_HEADER);
            }
            from = end + 1;
        }
        if (count < 0 || count > MOST_FRAGMENTS || numbers.size() != 2 * count) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        return ofNumbers(numbers, size);
    }

    /// @param numbers offset and length in turns
    static SparseMap ofNumbers(List<Long> numbers, long size) {
        if (numbers.size() / 2 > MOST_FRAGMENTS) {
            throw new TarGzException(TarGzException.TAR_SPARSE_TOO_LONG);
        }
        List<Fragment> fragments = new ArrayList<>(numbers.size() / 2);
        for (int i = 0; i + 1 < numbers.size(); i += 2) {
            fragments.add(new Fragment(numbers.get(i), numbers.get(i + 1)));
        }
        return new SparseMap(fragments, size);
    }
}

package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The records of one PAX extended header (`length key=value\n`, POSIX.1-2001), checked as Go's `archive/tar` checks
/// them. An empty value means that the plain header's field holds.
final class PaxRecords {
    static final PaxRecords NONE = new PaxRecords(Map.of());

    private static final Bytes PATH = Bytes.utf8("path");
    private static final Bytes LINK_PATH = Bytes.utf8("linkpath");
    private static final Bytes SIZE = Bytes.utf8("size");
    private static final Set<Bytes> STRINGS = Set.of(PATH, LINK_PATH, Bytes.utf8("uname"), Bytes.utf8("gname"));
    private static final List<Bytes> INTEGERS = List.of(SIZE, Bytes.utf8("uid"), Bytes.utf8("gid"));
    private static final List<Bytes> TIMES = List.of(Bytes.utf8("atime"), Bytes.utf8("mtime"), Bytes.utf8("ctime"));
    private static final Bytes SPARSE_OFFSET = Bytes.utf8("GNU.sparse.offset");
    private static final Bytes SPARSE_LENGTH = Bytes.utf8("GNU.sparse.numbytes");
    private static final Bytes SPARSE_MAP = Bytes.utf8("GNU.sparse.map");
    private static final int SHORTEST = 5;

    private final Map<Bytes, Bytes> values;

    private PaxRecords(Map<Bytes, Bytes> values) {
        this.values = values;
    }

    static PaxRecords parse(Bytes text) {
        Map<Bytes, Bytes> values = new HashMap<>();
        List<Bytes> oldSparseMap = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            at = record(text, at, values, oldSparseMap);
        }
        if (!oldSparseMap.isEmpty()) {
            values.put(SPARSE_MAP, joined(oldSparseMap));
        }
        return new PaxRecords(values);
    }

    /// Reads the record at `from`; the start of the next one.
    private static int record(Bytes text, int from, Map<Bytes, Bytes> values, List<Bytes> oldSparseMap) {
        int blank = text.indexOf((byte) ' ', from);
        if (blank < 0) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        long length = TarFields.decimal(text.slice(from, blank));
        long left = (long) text.length() - from;
        if (length < SHORTEST || length > left || length <= blank + 1L - from) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        int end = from + (int) length;
        int equals = text.indexOf((byte) '=', blank + 1);
        if (text.at(end - 1) != '\n' || equals < 0 || equals >= end - 1) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        Bytes key = text.slice(blank + 1, equals);
        Bytes value = text.slice(equals + 1, end - 1);
        Bytes noNul = STRINGS.contains(key) ? value : key;
        if (key.isEmpty() || noNul.indexOf((byte) 0, 0) >= 0) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        if (key.equals(SPARSE_OFFSET) || key.equals(SPARSE_LENGTH)) {
            addToOldMap(key, value, oldSparseMap);
        } else {
            values.put(key, value);
        }
        return end;
    }

    /// Sparse format 0.0 repeats two keys in turns, which later formats write as one list.
    private static void addToOldMap(Bytes key, Bytes value, List<Bytes> oldSparseMap) {
        boolean offsetWanted = oldSparseMap.size() % 2 == 0;
        if (offsetWanted != key.equals(SPARSE_OFFSET) || value.indexOf((byte) ',', 0) >= 0) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        oldSparseMap.add(value);
    }

    private static Bytes joined(List<Bytes> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Bytes part : parts) {
            if (all.size() > 0) {
                all.write(',');
            }
            all.writeBytes(part.toArray());
        }
        return Bytes.of(all.toByteArray());
    }

    /// @throws TarGzException where a number or time that we do not use is none, as Go's reader says too
    TarHeader applyTo(TarHeader header) {
        INTEGERS.forEach(key -> get(key).ifPresent(TarFields::decimal));
        TIMES.forEach(key -> get(key).ifPresent(PaxRecords::checkTime));
        return new TarHeader(
                get(PATH).orElse(header.name()),
                get(LINK_PATH).orElse(header.linkName()),
                header.type(),
                header.mode(),
                get(SIZE).map(TarFields::decimal).orElse(header.size()),
                header.gnu());
    }

    private static void checkTime(Bytes text) {
        int dot = text.indexOf((byte) '.', 0);
        TarFields.decimal(dot < 0 ? text : text.slice(0, dot));
        for (int i = dot < 0 ? text.length() : dot + 1; i < text.length(); i++) {
            if (text.at(i) < '0' || text.at(i) > '9') {
                throw new TarGzException(TarGzException.TAR_HEADER);
            }
        }
    }

    Optional<Bytes> get(Bytes key) {
        Bytes value = values.getOrDefault(key, Bytes.EMPTY);
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }
}

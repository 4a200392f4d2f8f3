package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The map of a sparse file in format 1.0 as its blocks arrive: lines of decimal numbers, first how many parts there
/// are, then offset and length of each. It ends with the block that holds the last line.
final class SparseLines {
    private byte[] text = new byte[TarHeader.BLOCK];
    private int length;
    private int lines;
    private long wanted = 1;

    /// @throws TarGzException above the bytes that Go's reader takes too
    void add(byte[] block) {
        if (length + block.length > TarEntries.MOST_SPECIAL) {
            throw new TarGzException(TarGzException.TAR_SPARSE_TOO_LONG);
        }
        if (text.length < length + block.length) {
            text = Arrays.copyOf(text, 2 * text.length);
        }
        System.arraycopy(block, 0, text, length, block.length);
        length += block.length;
        for (byte b : block) {
            lines += b == '\n' ? 1 : 0;
        }
        if (wanted == 1 && lines > 0) {
            long parts = TarFields.decimal(Bytes.of(text, 0, endOfLine(0)));
            if (parts < 0 || parts > Integer.MAX_VALUE) {
                throw new TarGzException(TarGzException.TAR_HEADER);
            }
            wanted = 1 + 2 * parts;
        }
    }

    boolean isComplete() {
        return lines > 0 && lines >= wanted;
    }

    SparseMap map(long size) {
        List<Long> numbers = new ArrayList<>();
        int from = endOfLine(0) + 1;
        for (long i = 1; i < wanted; i++) {
            int end = endOfLine(from);
            numbers.add(TarFields.decimal(Bytes.of(text, from, end)));
            from = end + 1;
        }
        return SparseMap.ofNumbers(numbers, size);
    }

    private int endOfLine(int from) {
        int end = from;
        while (text[end] != '\n') {
            end++;
        }
        return end;
    }
}

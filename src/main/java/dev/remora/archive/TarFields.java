package dev.remora.archive;

import dev.remora.posix.Bytes;

/// Fields of tar headers and PAX records, as strict as Go's `archive/tar`.
final class TarFields {
    private static final int BYTE = 0xFF;
    private static final int BASE_256 = 0x80;
    private static final int NEGATIVE = 0x40;
    private static final int OVERFLOW_SHIFT = 56;
    private static final int OCTAL_OVERFLOW_SHIFT = 61;
    private static final int DECIMAL = 10;

    private TarFields() {}

    /// Up to the first NUL.
    static Bytes string(byte[] block, int from, int to) {
        int end = from;
        while (end < to && block[end] != 0) {
            end++;
        }
        return Bytes.of(block, from, end);
    }

    /// Octal digits, or base 256 when the first bit is set; may be negative.
    static long number(byte[] block, int from, int to) {
        if ((block[from] & BASE_256) == 0) {
            return octal(block, from, to);
        }
        int inverted = (block[from] & NEGATIVE) != 0 ? BYTE : 0;
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = (block[i] & BYTE) ^ inverted;
            if (i == from) {
                digit &= BASE_256 - 1;
            }
            if (value >>> OVERFLOW_SHIFT > 0) {
                throw new TarGzException(TarGzException.TAR_HEADER);
            }
            value = value << 8 | digit;
        }
        if (value < 0) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        return inverted == 0 ? value : ~value;
    }

    /// Octal digits up to the first NUL, blanks and NULs around them left out; nothing is 0.
    static long octal(byte[] block, int from, int to) {
        int start = from;
        while (start < to && isPadding(block[start])) {
            start++;
        }
        int end = to;
        while (end > start && isPadding(block[end - 1])) {
            end--;
        }
        long value = 0;
        for (int i = start; i < end && block[i] != 0; i++) {
            int digit = block[i] - '0';
            if (digit < 0 || digit > 7 || value >>> OCTAL_OVERFLOW_SHIFT != 0) {
                throw new TarGzException(TarGzException.TAR_HEADER);
            }
            value = value << 3 | digit;
        }
        return value;
    }

    private static boolean isPadding(byte b) {
        return b == ' ' || b == 0;
    }

    /// Decimal digits with an optional sign, as Go's `strconv.ParseInt` takes them.
    static long decimal(Bytes text) {
        int start = !text.isEmpty() && (text.at(0) == '-' || text.at(0) == '+') ? 1 : 0;
        boolean minus = start == 1 && text.at(0) == '-';
        if (start == text.length()) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        long value = 0;
        for (int i = start; i < text.length(); i++) {
            int digit = text.at(i) - '0';
            if (digit < 0 || digit >= DECIMAL) {
                throw new TarGzException(TarGzException.TAR_HEADER);
            }
            value = appended(value, digit);
        }
        return minus ? -value : value;
    }

    private static long appended(long value, int digit) {
        try {
            return Math.addExact(Math.multiplyExact(value, (long) DECIMAL), digit);
        } catch (ArithmeticException e) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
    }
}

package dev.remora.archive;

import java.util.zip.CRC32;

/// The head of a gzip member (RFC 1952, 2.3). Its text fields may have 511 bytes, as with Go's reader; so the whole
/// is bounded.
final class GzipHeader {
    private static final int FIXED = 10;
    private static final int MOST_EXTRA = 0xFFFF;
    private static final int MOST_TEXT = 512;
    /// No header is longer.
    static final int MOST_BYTES = FIXED + 2 + MOST_EXTRA + 2 * MOST_TEXT + 2;

    private static final int MAGIC_1 = 0x1f;
    private static final int MAGIC_2 = 0x8b;
    private static final int DEFLATE = 8;
    private static final int FLAG_CHECKSUM = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int BYTE = 0xFF;

    private GzipHeader() {}

    /// The header's length, or -1 while bytes are missing.
    static int length(byte[] bytes) {
        if (bytes.length < FIXED) {
            return -1;
        }
        if ((bytes[0] & BYTE) != MAGIC_1 || (bytes[1] & BYTE) != MAGIC_2 || bytes[2] != DEFLATE) {
            throw new TarGzException(TarGzException.GZIP_HEADER);
        }
        int flags = bytes[3];
        int at = FIXED;
        if ((flags & FLAG_EXTRA) != 0) {
            at = bytes.length < at + 2 ? -1 : at + 2 + number(bytes, at);
        }
        if ((flags & FLAG_NAME) != 0) {
            at = text(bytes, at);
        }
        if ((flags & FLAG_COMMENT) != 0) {
            at = text(bytes, at);
        }
        if ((flags & FLAG_CHECKSUM) != 0) {
            at = checksum(bytes, at);
        }
        return at > bytes.length ? -1 : at;
    }

    private static int number(byte[] bytes, int at) {
        return (bytes[at] & BYTE) | (bytes[at + 1] & BYTE) << 8;
    }

    private static int text(byte[] bytes, int from) {
        if (from < 0) {
            return -1;
        }
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                return i + 1;
            }
            if (i - from == MOST_TEXT - 1) {
                throw new TarGzException(TarGzException.GZIP_HEADER);
            }
        }
        return -1;
    }

    private static int checksum(byte[] bytes, int at) {
        if (at < 0 || bytes.length < at + 2) {
            return -1;
        }
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, at);
        if ((crc.getValue() & MOST_EXTRA) != number(bytes, at)) {
            throw new TarGzException(TarGzException.GZIP_HEADER);
        }
        return at + 2;
    }
}

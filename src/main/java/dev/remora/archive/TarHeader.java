package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.util.Arrays;

/// One 512-byte block that opens an entry: V7, USTAR, STAR or GNU, told apart and read as Go's `archive/tar` does.
///
/// @param type the type flag as it is written, NUL included
record TarHeader(Bytes name, Bytes linkName, char type, int mode, long size, boolean gnu) {
    static final int BLOCK = 512;

    private static final int CHECKSUM = 148;
    private static final int CHECKSUM_END = 156;
    private static final int TYPE = 156;
    private static final int MAGIC = 257;
    private static final int PREFIX = 345;
    private static final int GNU_PREFIX_END = 500;
    private static final int STAR_PREFIX_END = 476;
    private static final int GNU_ACCESS_TIME = 345;
    private static final int GNU_CHANGE_TIME = 357;
    private static final int STAR_TRAILER = 508;
    private static final byte[] USTAR_MAGIC = {'u', 's', 't', 'a', 'r', 0};
    private static final byte[] GNU_MAGIC = {'u', 's', 't', 'a', 'r', ' ', ' ', 0};
    private static final byte[] STAR_MAGIC = {'t', 'a', 'r', 0};
    private static final int TIME_LENGTH = 12;
    private static final int PERMISSIONS = 07777;

    static boolean isZero(byte[] block) {
        for (byte b : block) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    /// @throws TarGzException for a wrong checksum or a number that is none
    static TarHeader parse(byte[] block) {
        verifyChecksum(block);
        Bytes name = TarFields.string(block, 0, 100);
        Bytes linkName = TarFields.string(block, 157, 257);
        long mode = TarFields.number(block, 100, 108);
        TarFields.number(block, 108, 116);
        TarFields.number(block, 116, 124);
        long size = TarFields.number(block, 124, 136);
        TarFields.number(block, 136, 148);
        boolean ustar = at(block, MAGIC, USTAR_MAGIC);
        boolean gnu = at(block, MAGIC, GNU_MAGIC);
        if (ustar || gnu) {
            TarFields.number(block, 329, 337);
            TarFields.number(block, 337, 345);
        }
        Bytes prefix = ustar ? ustarPrefix(block) : gnu ? gnuPrefix(block) : Bytes.EMPTY;
        Bytes whole = prefix.isEmpty() ? name : prefix.slash(name);
        return new TarHeader(whole, linkName, (char) (block[TYPE] & 0xFF), (int) mode & PERMISSIONS, size, gnu);
    }

    private static Bytes ustarPrefix(byte[] block) {
        if (!at(block, STAR_TRAILER, STAR_MAGIC)) {
            return TarFields.string(block, PREFIX, GNU_PREFIX_END);
        }
        TarFields.number(block, STAR_PREFIX_END, STAR_PREFIX_END + TIME_LENGTH);
        TarFields.number(block, STAR_PREFIX_END + TIME_LENGTH, STAR_PREFIX_END + 2 * TIME_LENGTH);
        return TarFields.string(block, PREFIX, STAR_PREFIX_END);
    }

    /// GNU has times here. Some old Go programs wrote a prefix all the same, which shows in times that are no
    /// numbers.
    private static Bytes gnuPrefix(byte[] block) {
        if (isTime(block, GNU_ACCESS_TIME) && isTime(block, GNU_CHANGE_TIME)) {
            return Bytes.EMPTY;
        }
        Bytes prefix = TarFields.string(block, PREFIX, GNU_PREFIX_END);
        for (int i = 0; i < prefix.length(); i++) {
            if (prefix.at(i) < 0) {
                return Bytes.EMPTY;
            }
        }
        return prefix;
    }

    private static boolean isTime(byte[] block, int from) {
        if (block[from] == 0) {
            return true;
        }
        try {
            TarFields.number(block, from, from + TIME_LENGTH);
            return true;
        } catch (TarGzException e) {
            return false;
        }
    }

    private static boolean at(byte[] block, int from, byte[] text) {
        return Arrays.equals(block, from, from + text.length, text, 0, text.length);
    }

    /// Some writers summed up signed bytes.
    private static void verifyChecksum(byte[] block) {
        long written = TarFields.octal(block, CHECKSUM, CHECKSUM_END);
        long unsigned = 0;
        long signed = 0;
        for (int i = 0; i < BLOCK; i++) {
            byte b = i >= CHECKSUM && i < CHECKSUM_END ? (byte) ' ' : block[i];
            unsigned += b & 0xFF;
            signed += b;
        }
        if (written != unsigned && written != signed) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
    }

    /// Whether entries of this type have no content, whatever their size says.
    static boolean isHeaderOnly(char type) {
        return type >= '1' && type <= '6';
    }
}

package dev.remora.archive;

import dev.remora.posix.Bytes;
import dev.remora.posix.FileStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes tar headers: USTAR where it can say all, else PAX records before it. Owners are left out, since no receiver
/// looks at them.
final class TarHeaderWriter {
    private static final int NAME = 100;
    private static final int PREFIX = 155;
    private static final int PREFIX_AT = 345;
    private static final int CHECKSUM_AT = 148;
    private static final long MOST_OCTAL = 077777777777L;
    private static final byte[] MAGIC = "ustar\00000".getBytes(StandardCharsets.US_ASCII);
    private static final Bytes PAX_NAME = Bytes.utf8("PaxHeaders.0/entry");

    private final OutputStream out;

    TarHeaderWriter(OutputStream out) {
        this.out = out;
    }

    /// @param linkText empty for what is no link
    void write(Bytes name, char type, FileStatus status, Bytes linkText) throws IOException {
        long size = status.isRegular() ? status.size() : 0;
        int split = splitAt(name);
        byte[] pax = pax(name, split, linkText, size);
        if (pax.length > 0) {
            writeBlock(PAX_NAME, 0, 'x', 0644, pax.length, status.modifiedSeconds(), Bytes.EMPTY);
            out.write(pax);
            pad(pax.length);
        }
        boolean sizeFits = size <= MOST_OCTAL;
        writeBlock(
                name, Math.max(split, 0), type, status.mode(), sizeFits ? size : 0, status.modifiedSeconds(), linkText);
    }

    /// A file of its owner's alone, made at no particular time. Its name must fit.
    void writePrivateFile(Bytes name, long size) throws IOException {
        int split = splitAt(name);
        if (split < 0 || size > MOST_OCTAL) {
            throw new IOException("a name or size that a plain header cannot hold: " + name);
        }
        writeBlock(name, split, '0', 0600, size, 0, Bytes.EMPTY);
    }

    /// Zeros up to the next block.
    void pad(long length) throws IOException {
        out.write(new byte[(int) (-length & TarHeader.BLOCK - 1)]);
    }

    void end() throws IOException {
        out.write(new byte[2 * TarHeader.BLOCK]);
    }

    /// Where the prefix ends: 0 when there is none, -1 when the name does not fit.
    private static int splitAt(Bytes name) {
        if (name.length() <= NAME) {
            return 0;
        }
        for (int i = Math.min(name.length() - 2, PREFIX); i > 0; i--) {
            if (name.at(i) == '/') {
                return name.length() - i - 1 <= NAME ? i : -1;
            }
        }
        return -1;
    }

    private static byte[] pax(Bytes name, int split, Bytes linkText, long size) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        if (split < 0 || !isAscii(name)) {
            record(records, "path", name);
        }
        if (linkText.length() > NAME || !isAscii(linkText)) {
            record(records, "linkpath", linkText);
        }
        if (size > MOST_OCTAL) {
            record(records, "size", Bytes.utf8(Long.toString(size)));
        }
        return records.toByteArray();
    }

    /// The record's length counts its own digits.
    private static void record(ByteArrayOutputStream records, String key, Bytes value) {
        int bare = key.length() + value.length() + 3;
        int length = bare + Integer.toString(bare).length();
        length = bare + Integer.toString(length).length();
        records.writeBytes((length + " " + key + "=").getBytes(StandardCharsets.US_ASCII));
        records.writeBytes(value.toArray());
        records.write('\n');
    }

    private static boolean isAscii(Bytes text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.at(i) < 0) {
                return false;
            }
        }
        return true;
    }

    private void writeBlock(Bytes name, int split, char type, int mode, long size, long modified, Bytes linkText)
            throws IOException {
        byte[] block = new byte[TarHeader.BLOCK];
        put(block, 0, NAME, split > 0 ? name.slice(split + 1, name.length()) : name);
        octal(block, 100, 8, mode);
        octal(block, 108, 8, 0);
        octal(block, 116, 8, 0);
        octal(block, 124, 12, size);
        octal(block, 136, 12, Math.clamp(modified, 0, MOST_OCTAL));
        block[156] = (byte) type;
        put(block, 157, NAME, linkText);
        System.arraycopy(MAGIC, 0, block, 257, MAGIC.length);
        octal(block, 329, 8, 0);
        octal(block, 337, 8, 0);
        put(block, PREFIX_AT, PREFIX, split > 0 ? name.slice(0, split) : Bytes.EMPTY);
        Arrays.fill(block, CHECKSUM_AT, CHECKSUM_AT + 8, (byte) ' ');
        long sum = 0;
        for (byte b : block) {
            sum += b & 0xFF;
        }
        octal(block, CHECKSUM_AT, 7, sum);
        out.write(block);
    }

    private static void put(byte[] block, int at, int most, Bytes text) {
        byte[] bytes = text.toArray();
        System.arraycopy(bytes, 0, block, at, Math.min(most, bytes.length));
    }

    /// Digits and a NUL in `width` bytes.
    private static void octal(byte[] block, int at, int width, long value) {
        long rest = value;
        for (int i = at + width - 2; i >= at; i--) {
            block[i] = (byte) ('0' + (rest & 7));
            rest >>= 3;
        }
        block[at + width - 1] = 0;
    }
}

package dev.remora.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/// Writes tar streams that no honest writer would: any name, type, size and number of bytes behind it.
final class FakeArchive {
    private static final int BLOCK = 512;

    private final ByteArrayOutputStream tar = new ByteArrayOutputStream();

    FakeArchive file(String name, String text) {
        return file(name, 0644, text);
    }

    FakeArchive file(String name, int mode, String text) {
        byte[] content = bytes(text);
        return header(bytes(name), '0', mode, content.length, "").raw(content).pad(content.length);
    }

    FakeArchive file(byte[] name, String text) {
        byte[] content = bytes(text);
        return header(name, '0', 0644, content.length, "").raw(content).pad(content.length);
    }

    FakeArchive directory(String name) {
        return directory(name, 0755);
    }

    FakeArchive directory(String name, int mode) {
        return header(bytes(name), '5', mode, 0, "");
    }

    FakeArchive link(String name, String target) {
        return header(bytes(name), '2', 0777, 0, target);
    }

    FakeArchive entry(String name, char type, String linkName) {
        return header(bytes(name), type, 0644, 0, linkName);
    }

    /// Content of a type that may have some.
    FakeArchive content(String name, char type, String text) {
        byte[] content = bytes(text);
        return header(bytes(name), type, 0644, content.length, "").raw(content).pad(content.length);
    }

    FakeArchive pax(String... keysAndValues) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            records.writeBytes(record(keysAndValues[i], keysAndValues[i + 1]));
        }
        byte[] content = records.toByteArray();
        return header(bytes("PaxHeaders"), 'x', 0644, content.length, "")
                .raw(content)
                .pad(content.length);
    }

    static byte[] record(String key, String value) {
        byte[] rest = bytes(" " + key + "=" + value + "\n");
        int length = rest.length + 1;
        while (length != rest.length + Integer.toString(length).length()) {
            length++;
        }
        byte[] digits = bytes(Integer.toString(length));
        byte[] all = Arrays.copyOf(digits, digits.length + rest.length);
        System.arraycopy(rest, 0, all, digits.length, rest.length);
        return all;
    }

    FakeArchive header(byte[] name, char type, int mode, long size, String linkName) {
        byte[] block = new byte[BLOCK];
        System.arraycopy(name, 0, block, 0, Math.min(100, name.length));
        put(block, 100, String.format("%07o", mode));
        put(block, 108, "0000000");
        put(block, 116, "0000000");
        put(block, 124, String.format("%011o", size));
        put(block, 136, "00000000000");
        block[156] = (byte) type;
        byte[] link = bytes(linkName);
        System.arraycopy(link, 0, block, 157, Math.min(100, link.length));
        put(block, 257, "ustar");
        put(block, 263, "00");
        return block(block);
    }

    /// Writes a block with its checksum set.
    FakeArchive block(byte[] block) {
        Arrays.fill(block, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xFF;
        }
        put(block, 148, String.format("%06o", sum));
        block[154] = 0;
        return raw(block);
    }

    FakeArchive raw(byte[] bytes) {
        tar.writeBytes(bytes);
        return this;
    }

    FakeArchive pad(long length) {
        return raw(new byte[(int) (-length & BLOCK - 1)]);
    }

    FakeArchive end() {
        return raw(new byte[2 * BLOCK]);
    }

    byte[] tar() {
        return tar.toByteArray();
    }

    byte[] gzip() {
        return gzip(tar());
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static void put(byte[] block, int at, String text) {
        byte[] bytes = bytes(text);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package dev.remora.sidecar;

import com.google.protobuf.ByteString;
import dev.remora.wire.EnvEntry;
import dev.remora.wire.ManifestRequestMetadata;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/// A tar.gz of a few files, as a caller would send it.
@SuppressWarnings("ArrayRecordComponent") // never compared
record SmallArchive(byte[] bytes) {
    private static final int BLOCK = 512;

    static SmallArchive of(Map<String, String> files) {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        files.forEach((name, content) -> {
            byte[] data = content.getBytes(StandardCharsets.ISO_8859_1);
            tar.writeBytes(header(name, data.length));
            tar.writeBytes(data);
            tar.writeBytes(new byte[(BLOCK - data.length % BLOCK) % BLOCK]);
        });
        tar.writeBytes(new byte[2 * BLOCK]);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(tar.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new SmallArchive(packed.toByteArray());
    }

    private static byte[] header(String name, int size) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 108, "0000000");
        put(header, 116, "0000000");
        put(header, 124, String.format(Locale.ROOT, "%011o", size));
        put(header, 136, "00000000000");
        put(header, 148, "        ");
        header[156] = '0';
        put(header, 257, "ustar");
        put(header, 263, "00");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, 148, String.format(Locale.ROOT, "%06o\0 ", sum));
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    InputStream stream() {
        return new ByteArrayInputStream(bytes);
    }

    String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /// @param environment pairs of name and value
    ManifestRequestMetadata metadata(String path, String... environment) {
        ManifestRequestMetadata.Builder metadata = ManifestRequestMetadata.newBuilder()
                .setAppName(ByteString.copyFromUtf8("folder"))
                .setAppRelPath(ByteString.copyFromUtf8(path))
                .setChecksum(ByteString.copyFromUtf8(sha256()))
                .setSize(bytes.length);
        for (int i = 0; i < environment.length; i += 2) {
            metadata.addEnv(EnvEntry.newBuilder()
                    .setName(ByteString.copyFromUtf8(environment[i]))
                    .setValue(ByteString.copyFromUtf8(environment[i + 1])));
        }
        return metadata.build();
    }
}

package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/// A small tar.gz made of what is in memory.
public final class TextArchive {
    private TextArchive() {}

    /// Files that only their owner reads, in the map's order.
    public static byte[] of(Map<String, byte[]> files) {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        try (GZIPOutputStream zipped = new GZIPOutputStream(archive)) {
            TarHeaderWriter headers = new TarHeaderWriter(zipped);
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                headers.writePrivateFile(Bytes.utf8(file.getKey()), file.getValue().length);
                zipped.write(file.getValue());
                headers.pad(file.getValue().length);
            }
            headers.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // There is nothing but memory.
        }
        return archive.toByteArray();
    }
}

package dev.remora.archive;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Counts the bytes that pass. Closing it does not close what is behind.
final class CountingOutputStream extends FilterOutputStream {
    private long count;

    CountingOutputStream(OutputStream out) {
        super(out);
    }

    long count() {
        return count;
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
        count++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
        count += length;
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}

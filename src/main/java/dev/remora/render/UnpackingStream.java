package dev.remora.render;

import dev.remora.archive.TarGzUnpacker;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// Hands what a packer writes to an unpacker: a folder's way to the sidecar, without the wire between.
final class UnpackingStream extends OutputStream {
    private final TarGzUnpacker unpacker;

    UnpackingStream(TarGzUnpacker unpacker) {
        this.unpacker = unpacker;
    }

    @Override
    public void write(int b) {
        unpacker.accept(ByteBuffer.wrap(new byte[] {(byte) b}));
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        unpacker.accept(ByteBuffer.wrap(bytes, from, length));
    }
}

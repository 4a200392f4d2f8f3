package dev.remora.render;

import dev.remora.archive.EntryPath;
import dev.remora.archive.EntrySink;
import dev.remora.posix.Bytes;
import java.nio.ByteBuffer;

/// Takes an archive's entries to nowhere, for whoever only wants to know what passes.
final class NoSink implements EntrySink {
    @Override
    public void directory(EntryPath path, int mode) {}

    @Override
    public void symlink(EntryPath path, Bytes target) {}

    @Override
    public void file(EntryPath path, int mode, long size) {}

    @Override
    public void content(ByteBuffer part) {}

    @Override
    public void fileEnd() {}

    @Override
    public void dropped(EntryPath path, char type) {}

    @Override
    public void finish() {}

    @Override
    public void close() {}
}

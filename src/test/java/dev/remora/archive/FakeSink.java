package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Remembers names and writes nothing.
class FakeSink implements EntrySink {
    final List<String> names = new ArrayList<>();
    long contentBytes;

    @Override
    public void directory(EntryPath path, int mode) {
        names.add(path + "/");
    }

    @Override
    public void symlink(EntryPath path, Bytes target) {
        names.add(path + " -> " + target);
    }

    @Override
    public void file(EntryPath path, int mode, long size) {
        names.add(path.toString());
    }

    @Override
    public void content(ByteBuffer part) {
        contentBytes += part.remaining();
    }

    @Override
    public void fileEnd() {}

    @Override
    public void dropped(EntryPath path, char type) {
        names.add(path + " dropped");
    }

    @Override
    public void finish() {}

    @Override
    public void close() {}
}

package dev.remora.sidecar;

import dev.remora.archive.Received;
import dev.remora.archive.TarGzUnpacker;
import dev.remora.digest.Sha256;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.NativeBuffer;
import dev.remora.posix.OpenFile;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.Workspace;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// An archive kept in a file until all of it is there, as Argo CD's server does: it needs room for both, the archive
/// and what it unpacks to. The file is gone when this is closed. For one thread.
final class StoredArchive implements AutoCloseable {
    private static final int OWNER_ONLY = 0600;
    private static final int READ_BYTES = 64 << 10;

    private final MessageDigest digest = Sha256.digest();
    private final Workspace folder;
    private final Bytes name =
            Bytes.utf8(Long.toString(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE)));
    private final OpenFile file;
    private long bytes;

    /// Makes the file, in a folder of its own.
    StoredArchive(WorkRoot root) {
        this.folder = root.open();
        try {
            this.file = folder.dir().createFile(name, OWNER_ONLY);
        } catch (ErrnoException e) {
            folder.close();
            throw failed("cannot store the archive: ", e);
        }
    }

    void add(ByteBuffer chunk) {
        bytes += chunk.remaining();
        digest.update(chunk.duplicate());
        try {
            file.write(chunk);
        } catch (ErrnoException e) {
            throw failed("cannot store the archive: ", e);
        }
    }

    /// What arrived in all. Nothing may follow.
    Received received() {
        return new Received(bytes, HexFormat.of().formatHex(digest.digest()));
    }

    /// Gives all of it to `unpacker`.
    void readInto(TarGzUnpacker unpacker) {
        try (OpenFile stored = folder.dir().openFile(name);
                NativeBuffer buffer = NativeBuffer.allocate(READ_BYTES)) {
            ByteBuffer part = buffer.bytes();
            part.clear();
            while (stored.read(part) > 0) {
                unpacker.accept(part.flip());
                part.clear();
            }
        } catch (ErrnoException e) {
            throw failed("cannot read the stored archive: ", e);
        }
    }

    private static Fault failed(String what, ErrnoException e) {
        return new Fault(FaultCode.WORKSPACE, what + e.reason(), e);
    }

    @Override
    public void close() {
        file.close();
        folder.close();
    }
}

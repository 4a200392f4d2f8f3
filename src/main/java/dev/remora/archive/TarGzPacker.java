package dev.remora.archive;

import dev.remora.digest.Sha256;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.NativeBuffer;
import dev.remora.posix.OpenFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// Packs a folder as Argo CD's repo-server does (`docs/spec/archive.md`, section 2): the root first, as `.`; then
/// depth first, each directory's entries in the order of their names' bytes; links as links; no named pipes, sockets,
/// devices.
/// Memory does not grow with the files, only with the longest directory.
public final class TarGzPacker {
    private static final int BUFFER = 64 << 10;
    private static final Bytes HERE = Bytes.utf8(".");

    private final PackSelection selection;
    private final TarHeaderWriter headers;
    private final OutputStream tar;
    private final NativeBuffer buffer;
    private final byte[] copy = new byte[BUFFER];
    private final PackTally tally = new PackTally();

    private TarGzPacker(PackSelection selection, OutputStream tar, NativeBuffer buffer) {
        this.selection = selection;
        this.headers = new TarHeaderWriter(tar);
        this.tar = tar;
        this.buffer = buffer;
    }

    /// Packs `folder` into `out`, which stays open.
    ///
    /// @throws Fault ARCHIVE_PACKING where something cannot be read
    /// @throws IOException where `out` takes no more
    public static PackReport pack(Bytes folder, PackSelection selection, OutputStream out) throws IOException {
        return pack(folder, selection, out, Deflater.DEFAULT_COMPRESSION);
    }

    /// As above, for a receiver in this process, who has nothing of small archives.
    public static PackReport packForHere(Bytes folder, PackSelection selection, OutputStream out) throws IOException {
        return pack(folder, selection, out, Deflater.NO_COMPRESSION);
    }

    private static PackReport pack(Bytes folder, PackSelection selection, OutputStream out, int level)
            throws IOException {
        CountingOutputStream counted = new CountingOutputStream(out);
        DigestOutputStream digested = new DigestOutputStream(counted, Sha256.digest());
        TarGzPacker packer;
        try (NativeBuffer buffer = NativeBuffer.allocate(BUFFER)) {
            GZIPOutputStream gzip = new LeveledGzip(digested, level);
            packer = new TarGzPacker(selection, gzip, buffer);
            packer.root(folder);
            packer.headers.end();
            gzip.finish();
        }
        String sum = HexFormat.of().formatHex(digested.getMessageDigest().digest());
        return packer.tally.report(counted.count(), sum);
    }

    private static final class LeveledGzip extends GZIPOutputStream {
        LeveledGzip(OutputStream out, int level) throws IOException {
            super(out, BUFFER);
            def.setLevel(level);
        }
    }

    private void root(Bytes folder) throws IOException {
        FileStatus status;
        try {
            status = Directory.statusAt(folder);
        } catch (ErrnoException e) {
            throw new Fault(FaultCode.ARCHIVE_PACKING, "error inspecting srcPath " + folder + ": " + e.reason(), e);
        }
        if (selection.leavesOut(HERE)) {
            tally.leftOut(HERE);
            return;
        }
        try {
            if (status.isSymlink()) {
                headers.write(HERE, '2', status, Directory.readLinkAt(folder));
            } else {
                headers.write(HERE, '5', status, Bytes.EMPTY);
                try (Directory directory = Directory.open(folder)) {
                    below(directory, Bytes.EMPTY);
                }
            }
        } catch (ErrnoException e) {
            throw unreadable(folder, e);
        }
    }

    private void below(Directory directory, Bytes path) throws IOException {
        for (Bytes name : names(directory, path)) {
            Bytes entryPath = path.isEmpty() ? name : path.slash(name);
            if (selection.leavesOut(entryPath)) {
                tally.leftOut(entryPath);
                continue;
            }
            try {
                entry(directory, name, entryPath);
            } catch (ErrnoException e) {
                throw unreadable(entryPath, e);
            }
        }
    }

    private List<Bytes> names(Directory directory, Bytes path) throws ErrnoException {
        Optional<Set<Bytes>> only = selection.onlyNames(path);
        List<Bytes> names = new ArrayList<>();
        if (only.isPresent()) {
            for (Bytes name : only.get()) {
                if (directory.find(name).isPresent()) {
                    names.add(name);
                }
            }
        } else {
            directory.list().forEach(entry -> names.add(entry.name()));
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }

    private void entry(Directory directory, Bytes name, Bytes path) throws IOException {
        FileStatus status = directory.status(name);
        switch (status.type()) {
            case DIRECTORY -> {
                headers.write(path, '5', status, Bytes.EMPTY);
                try (Directory child = directory.openDirectory(name)) {
                    below(child, path);
                }
            }
            case SYMLINK -> headers.write(path, '2', status, directory.readLink(name));
            case REGULAR -> {
                if (selection.isOnlyStep(path)) {
                    tally.leftOut(path);
                } else {
                    file(directory, name, path);
                }
            }
            case FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE, UNKNOWN -> tally.skipped();
        }
    }

    private void file(Directory directory, Bytes name, Bytes path) throws IOException {
        try (OpenFile file = directory.openFile(name)) {
            FileStatus status = file.status();
            headers.write(path, '0', status, Bytes.EMPTY);
            long left = status.size();
            while (left > 0) {
                ByteBuffer part = buffer.bytes().clear().limit((int) Math.min(BUFFER, left));
                int read = file.read(part);
                if (read == 0) {
                    throw new Fault(FaultCode.ARCHIVE_PACKING, path + " became shorter while it was packed");
                }
                part.flip().get(copy, 0, read);
                tar.write(copy, 0, read);
                left -= read;
            }
            headers.pad(status.size());
            tally.packed(path, status.size());
        }
    }

    private static Fault unreadable(Bytes path, ErrnoException e) {
        return new Fault(FaultCode.ARCHIVE_PACKING, "error creating app tgz file: " + path + ": " + e.getMessage(), e);
    }
}

package dev.remora.render;

import dev.remora.archive.EntryPath;
import dev.remora.archive.EntrySink;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// Writes a folder's entries by the JDK's own file calls, with the modes that a sidecar would give them. The entries
/// come
/// from the user's own folder by [PlainWalk], so no entry stands below a link.
final class PlainSink implements EntrySink {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwxr-xr-x");

    private final Path root;
    private final boolean preserveFileMode;
    private OutputStream current = OutputStream.nullOutputStream();

    PlainSink(Path root, boolean preserveFileMode) {
        this.root = root;
        this.preserveFileMode = preserveFileMode;
    }

    @Override
    public void directory(EntryPath path, int mode) {
        doing(path, () -> {
            Path folder = Files.createDirectory(place(path));
            Files.setPosixFilePermissions(folder, preserveFileMode ? permissions(mode) : FOLDER);
        });
    }

    @Override
    public void symlink(EntryPath path, Bytes target) {
        Path link = place(path);
        Path parent = link.getParent() == null ? root : link.getParent();
        if (!parent.resolve(target.toString()).normalize().startsWith(root)) {
            throw new Fault(FaultCode.ARCHIVE_INVALID, "illegal filepath in symlink: " + path + " -> " + target);
        }
        doing(path, () -> Files.createSymbolicLink(link, Path.of(target.toString())));
    }

    @Override
    public void file(EntryPath path, int mode, long size) {
        doing(path, () -> {
            Path file = place(path);
            current = Files.newOutputStream(file);
            Files.setPosixFilePermissions(file, preserveFileMode ? permissions(mode) : FILE);
        });
    }

    @Override
    public void content(ByteBuffer part) {
        try {
            Channels.newChannel(current).write(part);
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot write a work file: " + Fault.words(e), e);
        }
    }

    @Override
    public void fileEnd() {
        close();
    }

    @Override
    public void dropped(EntryPath path, char type) {}

    @Override
    public void finish() {}

    @Override
    public void close() {
        try {
            current.close();
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot write a work file: " + Fault.words(e), e);
        }
    }

    private Path place(EntryPath path) {
        return root.resolve(path.toString());
    }

    @SuppressWarnings("EnumOrdinal") // the order of the constants is that of the bits
    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> all = EnumSet.noneOf(PosixFilePermission.class);
        // the enum's order is that of the bits, from the owner's read on
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            if ((mode & (0400 >> permission.ordinal())) != 0) {
                all.add(permission);
            }
        }
        return all;
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void doing(EntryPath path, Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot write " + path + ": " + Fault.words(e), e);
        }
    }
}

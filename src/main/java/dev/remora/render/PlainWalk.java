package dev.remora.render;

import dev.remora.archive.EntryPath;
import dev.remora.archive.EntrySink;
import dev.remora.archive.PackSelection;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Shows a folder to an [EntrySink] as an archive of it would, by the JDK's own file calls: the same order, the same
/// exclusions, links as links, nothing that is no file.
final class PlainWalk {
    private static final int BUFFER = 64 << 10;

    private final PackSelection selection;
    private final EntrySink sink;
    private long files;

    private PlainWalk(PackSelection selection, EntrySink sink) {
        this.selection = selection;
        this.sink = sink;
    }

    /// How many regular files there were.
    static long feed(SourceFolder folder, EntrySink sink) {
        PlainWalk walk = new PlainWalk(folder.selection(), sink);
        try {
            walk.below(Path.of(folder.root().toString()), List.of());
            sink.finish();
        } catch (IOException e) {
            throw new Fault(FaultCode.ARCHIVE_PACKING, "error creating app tgz file: " + Fault.words(e), e);
        }
        return walk.files;
    }

    private void below(Path folder, List<Bytes> above) throws IOException {
        List<Path> entries;
        try (Stream<Path> list = Files.list(folder)) {
            entries = list.sorted(Comparator.comparing(PlainWalk::name)).toList();
        }
        for (Path entry : entries) {
            List<Bytes> components = new ArrayList<>(above);
            components.add(name(entry));
            EntryPath path = new EntryPath(components);
            if (!selection.leavesOut(Bytes.utf8(path.toString()))) {
                entry(entry, path, components);
            }
        }
    }

    private void entry(Path entry, EntryPath path, List<Bytes> components) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (attributes.isDirectory()) {
            sink.directory(path, mode(entry));
            below(entry, components);
        } else if (attributes.isSymbolicLink()) {
            sink.symlink(path, Bytes.utf8(Files.readSymbolicLink(entry).toString()));
        } else if (attributes.isRegularFile() && !selection.isOnlyStep(Bytes.utf8(path.toString()))) {
            files++;
            sink.file(path, mode(entry), attributes.size());
            content(entry);
            sink.fileEnd();
        }
    }

    private void content(Path file) throws IOException {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
                sink.content(ByteBuffer.wrap(buffer, 0, length));
            }
        }
    }

    @SuppressWarnings("EnumOrdinal") // the order of the constants is that of the bits
    private static int mode(Path file) throws IOException {
        int mode = 0;
        for (PosixFilePermission permission : Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)) {
            mode |= 0400 >> permission.ordinal();
        }
        return mode;
    }

    private static Bytes name(Path entry) {
        return Bytes.utf8(String.valueOf(entry.getFileName()));
    }
}

package dev.remora.archive;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.NativeBuffer;
import dev.remora.posix.OpenFile;
import java.util.Map;
import java.util.TreeMap;

/// Everything that a command can see of a tree: names, types, modes, owners, link counts, contents, link texts. Rights
/// that its reader lacks are taken for the moment and put back.
final class TreeSnapshot {
    private static final int ALL = 0700;
    private static final int READ = 0400;
    private static final int BUFFER = 64 << 10;

    private TreeSnapshot() {}

    static Map<String, String> of(Directory root) throws ErrnoException {
        Map<String, String> entries = new TreeMap<>();
        entries.put(".", "dir " + Integer.toOctalString(root.status().mode()));
        try (NativeBuffer buffer = NativeBuffer.allocate(BUFFER)) {
            add(root, "", entries, buffer);
        }
        return entries;
    }

    private static void add(Directory directory, String path, Map<String, String> entries, NativeBuffer buffer)
            throws ErrnoException {
        int mode = directory.status().mode();
        if ((mode & ALL) != ALL) {
            directory.changeMode(mode | ALL);
        }
        for (DirectoryEntry entry : directory.list()) {
            FileStatus status = directory.status(entry.name());
            String place = path + "/" + shown(entry.name());
            String head = Integer.toOctalString(status.mode()) + " " + status.owner() + ":" + status.group();
            switch (status.type()) {
                case DIRECTORY -> {
                    entries.put(place, "dir " + head);
                    try (Directory child = directory.openDirectoryForcibly(entry.name())) {
                        if (child.status().mode() != status.mode()) {
                            add(child, place, entries, buffer);
                            child.changeMode(status.mode());
                        } else {
                            add(child, place, entries, buffer);
                        }
                    }
                }
                case SYMLINK -> entries.put(place, "link " + shown(directory.readLink(entry.name())));
                case REGULAR ->
                    entries.put(
                            place,
                            "file " + head + " " + status.links() + " "
                                    + content(directory, entry.name(), status, buffer));
                default -> entries.put(place, status.type().toString());
            }
        }
        if ((mode & ALL) != ALL) {
            directory.changeMode(mode);
        }
    }

    private static String content(Directory directory, Bytes name, FileStatus status, NativeBuffer buffer)
            throws ErrnoException {
        if ((status.mode() & READ) == 0) {
            return status.size() + " bytes"; // Reading it would need another mode.
        }
        StringBuilder text = new StringBuilder();
        try (OpenFile file = directory.openFile(name)) {
            while (file.read(buffer.bytes().clear()) > 0) {
                buffer.bytes().flip();
                byte[] part = new byte[buffer.bytes().remaining()];
                buffer.bytes().get(part);
                text.append(shown(Bytes.of(part)));
            }
        }
        return text.toString();
    }

    /// One character a byte, so that no two names look the same.
    private static String shown(Bytes bytes) {
        return new String(bytes.toArray(), java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}

package dev.remora.archive;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What unpacking an archive into an empty folder gave.
record Unpacked(ArchiveReport report, Map<String, String> tree) {
    /// @throws Fault what the unpacker says
    static Unpacked into(Path folder, byte[] archive, UnpackOptions options) {
        return into(folder, archive, options, archive.length);
    }

    /// The archive comes in chunks of `chunk` bytes.
    static Unpacked into(Path folder, byte[] archive, UnpackOptions options, int chunk) {
        Bytes path = Bytes.utf8(folder.toString());
        try (Directory root = Directory.open(path);
                TarGzUnpacker unpacker = new TarGzUnpacker(new WorkspaceSink(root, path, options), options)) {
            for (int at = 0; at < archive.length; at += chunk) {
                unpacker.accept(ByteBuffer.wrap(archive, at, Math.min(chunk, archive.length - at)));
            }
            return new Unpacked(unpacker.finish(), tree(folder));
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    /// Without a look at the tree, for users who may not read it.
    static ArchiveReport reportOf(Path folder, byte[] archive, UnpackOptions options) {
        return reportOf(folder, out -> out.write(archive), options);
    }

    @FunctionalInterface
    interface Source {
        void writeTo(OutputStream out) throws IOException;
    }

    /// The archive is made while it is unpacked.
    static ArchiveReport reportOf(Path folder, Source source, UnpackOptions options) {
        Bytes path = Bytes.utf8(folder.toString());
        try (Directory root = Directory.open(path);
                TarGzUnpacker unpacker = new TarGzUnpacker(new WorkspaceSink(root, path, options), options)) {
            source.writeTo(new BoundedMemoryTest.ChunkStream(unpacker));
            return unpacker.finish();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Every entry: `dir`, `-> text` or the content.
    static Map<String, String> tree(Path folder) {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(path -> !path.equals(folder))
                    .forEach(path -> tree.put(folder.relativize(path).toString(), described(path)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return tree;
    }

    private static String described(Path path) {
        try {
            if (Files.isSymbolicLink(path)) {
                return "-> " + Files.readSymbolicLink(path);
            }
            return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "dir" : Files.readString(path);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }
}

package dev.remora.archive;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/// What a command may do to its tree, and to what is around it. Whatever fails for want of rights is left undone, as
/// with a command.
final class Misbehaviour implements Closeable {
    private static final byte[] EDIT = "EDITED".getBytes(StandardCharsets.UTF_8);
    private static final List<String> MODES = List.of("---------", "r-xr-xr-x", "rwxrwxrwx", "r--------", "-wx------");
    private static final int DEEP = 90;

    private final Random random;
    private final Path tree;
    private final Path outside;
    private final List<FileChannel> kept = new ArrayList<>();

    /// @param outside a folder on the same file system that nobody else uses
    Misbehaviour(Random random, Path tree, Path outside) {
        this.random = random;
        this.tree = tree;
        this.outside = outside;
    }

    /// One thing.
    ///
    /// @return what it was
    String some() {
        int what = random.nextInt(26);
        try {
            return what + " " + act(what);
        } catch (IOException | UncheckedIOException | UnsupportedOperationException | IllegalArgumentException e) {
            return what + " failed";
        }
    }

    private String act(int what) throws IOException {
        return switch (what) {
            case 0 -> Files.write(file(), EDIT, StandardOpenOption.WRITE) + " edited";
            case 1 -> appended(file());
            case 2 -> truncated(file());
            case 3 -> Files.setPosixFilePermissions(any(), modes()) + " chmod";
            case 4 -> Files.createLink(unused(folder()), file()) + " hard link";
            case 5 -> Files.createLink(unused(outside), file()) + " hard link outside";
            case 6 -> Files.move(any(), unused(folder())) + " renamed";
            case 7 -> swapped(file(), file());
            case 8 -> mapped(file(), true);
            case 9 -> mapped(file(), false);
            case 10 -> Files.write(unused(folder()), EDIT) + " added";
            case 11 -> added(folder());
            case 12 -> socket(unused(folder()));
            case 13 -> deleted(any());
            case 14 -> readOnly(folder());
            case 15 -> linkInstead(folder());
            case 16 -> keep(file());
            case 17 -> sameAgain(file());
            case 18 -> disguised(file());
            case 19 -> Files.setPosixFilePermissions(tree, modes()) + " chmod of the root";
            case 20 -> beside();
            case 21 -> Files.setAttribute(any(), "user:mark", ByteBuffer.wrap(EDIT)) + " marked";
            case 22 -> swapped(folder(), folder());
            case 23 -> mappedBySecondName(file());
            case 24 -> mappedAway(folder());
            default -> random.nextInt(8) == 0 ? rootGone() : "nothing";
        };
    }

    private Set<java.nio.file.attribute.PosixFilePermission> modes() {
        return PosixFilePermissions.fromString(MODES.get(random.nextInt(MODES.size())));
    }

    private Path file() throws IOException {
        return among(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS));
    }

    private Path folder() throws IOException {
        return among(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS));
    }

    private Path any() throws IOException {
        return among(path -> !path.equals(tree));
    }

    private Path among(java.util.function.Predicate<Path> wanted) throws IOException {
        try (Stream<Path> all = Files.walk(tree, new FileVisitOption[0])) {
            List<Path> found = all.filter(wanted).toList();
            if (found.isEmpty()) {
                throw new IOException("nothing there");
            }
            return found.get(random.nextInt(found.size()));
        }
    }

    private Path unused(Path folder) {
        return folder.resolve("new" + random.nextInt(1_000_000));
    }

    private static String appended(Path file) throws IOException {
        return Files.write(file, EDIT, StandardOpenOption.APPEND) + " appended";
    }

    private String truncated(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(random.nextBoolean() ? 0 : Math.max(0, channel.size() - 1));
        }
        return file + " truncated";
    }

    private String swapped(Path one, Path other) throws IOException {
        Path between = unused(tree);
        Files.move(one, between);
        Files.move(other, one);
        Files.move(between, other);
        return one + " and " + other + " swapped";
    }

    /// Writes without a call that says so.
    private static String mapped(Path file, boolean readFirst) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
            if (map.capacity() == 0) {
                return file + " is empty";
            }
            byte before = readFirst ? map.get(0) : 0;
            map.put(0, (byte) (before + 1));
        }
        return file + " mapped" + (readFirst ? " and read first" : "");
    }

    /// Opened where nobody looks, by a name that is gone afterwards.
    private String mappedBySecondName(Path file) throws IOException {
        Path second = Files.createLink(unused(outside), file);
        String mapped = mapped(second, true);
        Files.delete(second);
        return file + " as " + mapped;
    }

    /// Opened while its folder is elsewhere.
    private String mappedAway(Path folder) throws IOException {
        Path away = unused(outside);
        Files.move(folder, away);
        String mapped;
        try (Stream<Path> all = Files.walk(away)) {
            Optional<Path> file = all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .findFirst();
            mapped = file.isPresent() ? mapped(file.get(), true) : "nothing";
        }
        Files.move(away, folder);
        return folder + " moved away, " + mapped + ", moved back";
    }

    private String added(Path folder) throws IOException {
        Path deep = unused(folder);
        Path place = deep;
        for (int i = random.nextInt(DEEP); i > 0; i--) {
            place = place.resolve("d");
        }
        Files.createDirectories(place);
        Files.write(place.resolve("f"), EDIT);
        Files.createSymbolicLink(place.resolve("l"), Path.of("/etc"));
        return deep + " added";
    }

    private static String socket(Path path) throws IOException {
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(path));
        }
        return path + " is a socket";
    }

    private static String deleted(Path path) throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.toList().reversed()) {
                Files.delete(each);
            }
        }
        return path + " deleted";
    }

    private String readOnly(Path folder) throws IOException {
        Path added = Files.createDirectory(unused(folder));
        Files.write(added.resolve("f"), EDIT);
        Files.setPosixFilePermissions(added, PosixFilePermissions.fromString("r-xr-xr-x"));
        if (random.nextBoolean()) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
        }
        return added + " left read-only";
    }

    private String linkInstead(Path folder) throws IOException {
        Path aside = random.nextBoolean() ? unused(outside) : unused(tree);
        Files.move(folder, aside);
        Files.createSymbolicLink(folder, aside);
        return folder + " swapped for a link";
    }

    private String keep(Path file) throws IOException {
        kept.add(FileChannel.open(file, StandardOpenOption.WRITE));
        return file + " kept open";
    }

    /// Another inode with the same content.
    private String sameAgain(Path file) throws IOException {
        Path copy = unused(tree);
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
        return file + " replaced by its like";
    }

    /// Edits and puts the times back, as far as one can.
    private String disguised(Path file) throws IOException {
        FileTime before = Files.getLastModifiedTime(file);
        long size = Files.size(file);
        Files.write(
                file,
                "x".repeat((int) Math.min(size, 1000)).getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.WRITE);
        Files.setLastModifiedTime(file, before);
        return file + " edited, time put back";
    }

    private String beside() throws IOException {
        Path place = tree.resolve("..").normalize();
        Files.createDirectories(place.resolve("tmp/sub"));
        Files.write(place.resolve("tmp/sub/f"), EDIT);
        if (random.nextBoolean()) {
            Files.setPosixFilePermissions(place, modes());
        }
        return "the place was written to";
    }

    private String rootGone() throws IOException {
        Path aside = random.nextBoolean() ? unused(outside) : tree.resolveSibling("aside");
        Files.move(tree, aside);
        if (random.nextBoolean()) {
            Files.createSymbolicLink(tree, aside);
        }
        return "the tree moved away";
    }

    /// Writes through every descriptor that is still open, though the answer was given long ago.
    void writeLate() {
        for (FileChannel channel : kept) {
            try {
                channel.write(ByteBuffer.wrap(EDIT), 0);
            } catch (IOException e) {
                // The file system is full, or the like.
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : kept) {
            channel.close();
        }
    }
}

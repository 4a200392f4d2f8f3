package dev.remora.git;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Folders of git's own making, walked without following links: their size, and their removal.
final class FileTree {
    private static final Set<PosixFilePermission> WRITING =
            Set.of(PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private FileTree() {}

    /// Removes it with all that is in it; nothing happens where it is not there.
    static void remove(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed) throws IOException {
                Files.deleteIfExists(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// Removes everything in it, also where rights of ours are missing that its owner may give.
    static void emptyForcibly(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failed) throws IOException {
                if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    throw failed;
                }
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
                emptyForcibly(file);
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed) throws IOException {
                if (!folder.equals(root)) {
                    Files.deleteIfExists(folder);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// Gives or takes the right to write, from everybody, of every file and folder in it.
    static void setWritable(Path root, boolean writable) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (writable) {
                    set(folder);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    set(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed) throws IOException {
                if (!writable) {
                    set(folder);
                }
                return FileVisitResult.CONTINUE;
            }

            private void set(Path path) throws IOException {
                Set<PosixFilePermission> rights = EnumSet.noneOf(PosixFilePermission.class);
                rights.addAll(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
                boolean changed = writable ? rights.add(PosixFilePermission.OWNER_WRITE) : rights.removeAll(WRITING);
                if (changed) {
                    Files.setPosixFilePermissions(path, rights);
                }
            }
        });
    }

    /// Bytes of all files; what vanishes meanwhile counts nothing.
    static long size(Path root) throws IOException {
        long[] sum = {0};
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                sum[0] += attributes.size();
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed) {
                return FileVisitResult.CONTINUE;
            }
        });
        return sum[0];
    }
}

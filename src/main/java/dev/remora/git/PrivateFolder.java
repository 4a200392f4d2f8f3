package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.OpenFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// A folder of this process that nobody else may enter, for sockets and for what is no secret (host keys, certificate
/// authorities). Its name is short, because a socket's path may have 107 bytes.
///
/// A lock that dies with the process tells leftovers from folders in use; opening one removes what dead processes
/// left.
final class PrivateFolder implements AutoCloseable {
    private static final String PREFIX = "remora-git-";
    private static final int NAME_LENGTH = 12;
    private static final int PRIVATE_FILE = 0600;
    private static final Bytes LOCK = Bytes.utf8("lock");

    private final Path path;
    private final OpenFile lock;
    private final AtomicLong count = new AtomicLong();

    private PrivateFolder(Path path, OpenFile lock) {
        this.path = path;
        this.lock = lock;
    }

    /// @param base such as `$XDG_RUNTIME_DIR` or `/tmp`
    static PrivateFolder open(Path base) {
        sweep(base);
        Path path = base.resolve(
                PREFIX + UUID.randomUUID().toString().replace("-", "").substring(0, NAME_LENGTH));
        try {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return new PrivateFolder(path, locked(path));
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot make a private folder in " + base + ": " + Fault.words(e), e);
        }
    }

    private static OpenFile locked(Path path) throws ErrnoException {
        try (Directory directory = Directory.open(Bytes.utf8(path.toString()))) {
            OpenFile lock = directory.openOrCreateFile(LOCK, PRIVATE_FILE);
            boolean _ = lock.tryLock();
            return lock;
        }
    }

    private static void sweep(Path base) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(base, PREFIX + "*")) {
            for (Path folder : all) {
                removeDead(folder);
            }
        } catch (IOException nothingToSee) {
            return;
        }
    }

    /// Others' folders cannot be opened; what is in use is locked; one without a lock file was made a moment ago.
    private static void removeDead(Path folder) {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || !Files.exists(folder.resolve("lock"))) {
            return;
        }
        try (Directory directory = Directory.open(Bytes.utf8(folder.toString()));
                OpenFile lock = directory.openOrCreateFile(LOCK, PRIVATE_FILE)) {
            if (lock.tryLock()) {
                FileTree.remove(folder);
            }
        } catch (IOException notOurs) {
            return;
        }
    }

    Path path() {
        return path;
    }

    /// A path in it that nobody has used yet.
    Path fresh(String suffix) {
        return path.resolve(count.incrementAndGet() + suffix);
    }

    /// A file with this content, for our eyes only.
    Path file(String suffix, String content) {
        Path file = fresh(suffix);
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(file, content);
        } catch (IOException e) {
            throw new Fault(FaultCode.GIT_CACHE, "cannot write " + file + ": " + Fault.words(e), e);
        }
    }

    @Override
    public void close() {
        try {
            FileTree.remove(path);
        } catch (IOException leftForTheNextSweep) {
            return;
        } finally {
            lock.close();
        }
    }
}

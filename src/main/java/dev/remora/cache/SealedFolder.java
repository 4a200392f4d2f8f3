package dev.remora.cache;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.OpenFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;

/// Bytes by name in a folder that outlives the process and that nobody reads without the key.
///
/// ```
/// <root>/answers/v1/
///     <64 digits>     one entry: "RMRA1\n", 12 bytes of nonce, AES-256-GCM of the content
///     .<id>.part      an entry that is being written, locked by who writes it
/// ```
///
/// **Idea.** A file is called by the HMAC of its name, so names tell nothing, and that name is authenticated with the
/// content: an entry that was cut off, changed, moved to another's place or made with another key does not open, and
/// counts as one that is not there. An entry appears whole, by renaming. What a killed process left is known by the
/// lock that died with it.
///
/// **Attacks considered.** Whoever may write in the folder can remove entries, or bring back an older entry of the very
/// same name; what is in it says when it was made. Links are not followed.
///
/// Threads and processes may share it.
public final class SealedFolder implements AutoCloseable {
    /// A change of the layout gets a folder of its own.
    private static final String LAYOUT = "answers/v1";

    private static final byte[] MAGIC = "RMRA1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    /// One entry is held in memory as a whole.
    private static final int MOST_OF_ONE = 128 << 20;

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int PRIVATE_FILE = 0600;
    /// What a small file takes on a disk.
    private static final long BLOCK = 4096;

    private static final String PART = ".part";

    private final Path folder;
    private final CacheKey key;
    private final long mostBytes;
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong written = new AtomicLong();

    private SealedFolder(Path folder, CacheKey key, long mostBytes) {
        this.folder = folder;
        this.key = key;
        this.mostBytes = mostBytes;
    }

    /// Opens the folder, which is made if it is not there.
    ///
    /// @param mostBytes above it, entries are removed, the one used longest ago first
    /// @throws Fault CACHE_FOLDER
    public static SealedFolder open(Path root, CacheKey key, long mostBytes) {
        Path folder = root.resolve(LAYOUT);
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw failed("cannot make " + folder, e);
        }
        if (!Files.isWritable(folder)) {
            throw new Fault(FaultCode.CACHE_FOLDER, folder + " cannot be written");
        }
        return new SealedFolder(folder, key, mostBytes);
    }

    /// What is kept under the name.
    ///
    /// @param warn is told of an entry that is there and cannot be used
    public Optional<byte[]> find(String name, Consumer<String> warn) {
        String file = fileOf(name);
        Path path = folder.resolve(file);
        try {
            byte[] sealed = read(path);
            byte[] content = opened(file, sealed);
            Files.setLastModifiedTime(path, FileTime.fromMillis(System.currentTimeMillis()));
            return Optional.of(content);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | GeneralSecurityException e) {
            warn.accept("the kept answer " + path + " is not used: "
                    + (e instanceof IOException unreadable
                            ? Fault.words(unreadable)
                            : "it is damaged or was not written by Remora with this key"));
            return Optional.empty();
        }
    }

    private static byte[] read(Path path) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            throw new IOException("it is no regular file");
        }
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            byte[] all = in.readNBytes(MOST_OF_ONE + 1);
            if (all.length > MOST_OF_ONE) {
                throw new IOException("it is larger than " + MOST_OF_ONE + " bytes");
            }
            return all;
        }
    }

    private byte[] opened(String file, byte[] sealed) throws GeneralSecurityException {
        int head = MAGIC.length + NONCE_BYTES;
        if (sealed.length < head || !Arrays.equals(sealed, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new AEADBadTagException();
        }
        Cipher cipher = cipher(Cipher.DECRYPT_MODE, file, Arrays.copyOfRange(sealed, MAGIC.length, head));
        return cipher.doFinal(sealed, head, sealed.length - head);
    }

    private Cipher cipher(int mode, String file, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key.content(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(file.getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    private String fileOf(String name) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key.names());
            return HexFormat.of().formatHex(mac.doFinal(name.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new Fault(FaultCode.INTERNAL, "this Java runtime has no HmacSHA256", e);
        }
    }

    /// Keeps the content under the name, in the place of what was there.
    ///
    /// @param warn is told where that is not possible, which is no failure of the work itself
    /// @return whether it is kept
    public boolean put(String name, byte[] content, Consumer<String> warn) {
        if (content.length > mostBytes || content.length > MOST_OF_ONE - BLOCK) {
            return false;
        }
        String file = fileOf(name);
        try {
            write(file, sealed(file, content));
        } catch (IOException e) {
            warn.accept("cannot keep an answer in " + folder + ": " + Fault.words(e));
            return false;
        } catch (GeneralSecurityException e) {
            throw new Fault(FaultCode.INTERNAL, "this Java runtime has no " + CIPHER, e);
        }
        if (written.addAndGet(onDisk(content.length)) > mostBytes / 4) {
            written.set(0);
            tidy();
        }
        return true;
    }

    private byte[] sealed(String file, byte[] content) throws GeneralSecurityException {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        Cipher cipher = cipher(Cipher.ENCRYPT_MODE, file, nonce);
        ByteBuffer all = ByteBuffer.allocate(MAGIC.length + NONCE_BYTES + cipher.getOutputSize(content.length));
        all.put(MAGIC).put(nonce);
        cipher.doFinal(ByteBuffer.wrap(content), all);
        return all.array();
    }

    private void write(String file, byte[] sealed) throws IOException {
        Bytes part = Bytes.utf8("." + UUID.randomUUID() + PART);
        try (Directory directory = Directory.open(Bytes.utf8(folder.toString()));
                OpenFile out = directory.createFile(part, PRIVATE_FILE)) {
            try {
                // Whoever took it before us takes it for a leftover; then renaming it fails.
                boolean _ = out.tryLock();
                out.write(ByteBuffer.wrap(sealed));
                directory.rename(part, directory, Bytes.utf8(file));
            } catch (ErrnoException e) {
                Files.deleteIfExists(folder.resolve(part.toString()));
                throw e;
            }
        }
    }

    private static long onDisk(long bytes) {
        return (bytes + BLOCK - 1) / BLOCK * BLOCK;
    }

    /// Removes leftovers of dead processes and what is too much.
    @Override
    public void close() {
        tidy();
    }

    private record Kept(Path file, long bytes, FileTime used) {}

    private void tidy() {
        List<Kept> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().endsWith(PART)) {
                    sweep(file);
                } else {
                    kept(file).ifPresent(all::add);
                }
            }
            all.sort(Comparator.comparing(Kept::used));
            long sum = all.stream().mapToLong(Kept::bytes).sum();
            for (Kept oldest : all) {
                if (sum <= mostBytes) {
                    return;
                }
                Files.deleteIfExists(oldest.file());
                sum -= oldest.bytes();
            }
        } catch (IOException e) {
            throw failed("cannot tidy " + folder, e);
        }
    }

    private static Optional<Kept> kept(Path file) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile()
                    ? Optional.of(new Kept(file, onDisk(attributes.size()), attributes.lastModifiedTime()))
                    : Optional.empty();
        } catch (NoSuchFileException removedMeanwhile) {
            return Optional.empty();
        }
    }

    private void sweep(Path part) throws IOException {
        try (Directory directory = Directory.open(Bytes.utf8(folder.toString()));
                OpenFile file =
                        directory.openFileAtOnce(Bytes.utf8(part.getFileName().toString()))) {
            if (file.tryLock()) {
                Files.deleteIfExists(part);
            }
        } catch (ErrnoException e) {
            if (e.errno() != dev.remora.posix.Errno.ENOENT) {
                throw e;
            }
        }
    }

    private static Fault failed(String what, IOException e) {
        return new Fault(FaultCode.CACHE_FOLDER, what + ": " + Fault.words(e), e);
    }
}

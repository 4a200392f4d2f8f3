package dev.remora.cache;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/// What kept answers are encrypted and named with: 32 random bytes in a file of the user's, from which one key for each
/// use is derived (HKDF, RFC 5869).
///
/// The file is made when it is first needed, complete or not at all, and of several processes that make it at once all
/// use the first one's. One that others can read, or that was cut off, is refused: what it protects would not be
/// protected.
///
/// @param content for AES-256-GCM
/// @param names for HMAC-SHA-256
public record CacheKey(SecretKey content, SecretKey names) {
    static final int BYTES = 32;

    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    private static final String DERIVATION = "HKDF-SHA256";

    /// Where this user's lies.
    ///
    /// @param xdgConfigHome the variable's value, or empty
    /// @param home the variable's value, or empty
    public static Path place(String xdgConfigHome, String home) {
        if (!xdgConfigHome.startsWith("/") && !home.startsWith("/")) {
            throw refused(
                    "there is no place for the key of kept answers", "set HOME or XDG_CONFIG_HOME to an absolute path");
        }
        Path config = xdgConfigHome.startsWith("/") ? Path.of(xdgConfigHome) : Path.of(home, ".config");
        return config.resolve("remora").resolve("cache.key");
    }

    /// Reads the key, and makes it before if it is not there.
    ///
    /// @throws Fault CACHE_KEY
    public static CacheKey of(Path file) {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                make(file);
            }
            return derived(read(file));
        } catch (IOException e) {
            throw new Fault(FaultCode.CACHE_KEY, "cannot use " + file + ": " + Fault.words(e), e);
        }
    }

    /// A second name is given to a finished file, which fails where another process was faster.
    private static void make(Path file) throws IOException {
        byte[] key = new byte[BYTES];
        SecureRandom random = new SecureRandom();
        random.nextBytes(key);
        byte[] suffix = new byte[Long.BYTES];
        random.nextBytes(suffix);
        Path folder = Files.createDirectories(
                file.toAbsolutePath().getParent(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path whole = folder.resolve(file.getFileName() + "." + HexFormat.of().formatHex(suffix));
        try {
            Files.createFile(whole, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            Files.setPosixFilePermissions(whole, OWNER_ONLY);
            Files.write(whole, key, StandardOpenOption.SYNC);
            Files.createLink(file, whole);
        } catch (FileAlreadyExistsException faster) {
            // its key is as good as ours
            return;
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    private static byte[] read(Path file) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            throw refused(file + " is no regular file", "remove it: the next command makes one");
        }
        if (!attributes.permissions().equals(OWNER_ONLY)) {
            throw refused(
                    file + " has the mode " + PosixFilePermissions.toString(attributes.permissions())
                            + ", and a key must have rw-------",
                    "if nobody else can have read it, run chmod 600 " + file
                            + "; otherwise remove it and the folder of --cache-dir");
        }
        byte[] key = attributes.size() == BYTES ? Files.readAllBytes(file) : new byte[0];
        if (key.length != BYTES) {
            throw refused(
                    file + " has " + attributes.size() + " bytes, and a key has " + BYTES,
                    "remove it: the next command makes one, and answers kept with the old one are made anew");
        }
        return key;
    }

    private static CacheKey derived(byte[] key) {
        return new CacheKey(derived(key, "AES", "answers"), derived(key, "HmacSHA256", "names"));
    }

    private static SecretKey derived(byte[] key, String algorithm, String use) {
        try {
            HKDFParameterSpec parameters = HKDFParameterSpec.ofExtract()
                    .addIKM(key)
                    .thenExpand(("remora " + use).getBytes(java.nio.charset.StandardCharsets.US_ASCII), BYTES);
            return KDF.getInstance(DERIVATION).deriveKey(algorithm, parameters);
        } catch (GeneralSecurityException e) {
            throw new Fault(FaultCode.INTERNAL, "this Java runtime has no " + DERIVATION, e);
        }
    }

    private static Fault refused(String message, String advice) {
        return new Fault(FaultCode.CACHE_KEY, new Problem(Optional.empty(), message, Optional.of(advice)));
    }

    /// Nothing of the keys.
    @Override
    public String toString() {
        return "CacheKey[***]";
    }
}

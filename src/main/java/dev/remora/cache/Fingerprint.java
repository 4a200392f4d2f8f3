package dev.remora.cache;

import dev.remora.digest.Sha256;
import dev.remora.posix.Bytes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/// A SHA-256 over parts, each with its length in front, so that two lists of parts that differ anywhere never run
/// together. For one thread; ends with [#hex].
public final class Fingerprint {
    private final MessageDigest digest = Sha256.digest();

    public Fingerprint add(Bytes part) {
        byte[] bytes = part.toArray();
        length(bytes.length);
        digest.update(bytes);
        return this;
    }

    public Fingerprint add(String part) {
        return add(Bytes.utf8(part));
    }

    public Fingerprint add(long part) {
        length(part);
        return this;
    }

    private void length(long number) {
        digest.update(ByteBuffer.allocate(Long.BYTES)
                .order(java.nio.ByteOrder.BIG_ENDIAN)
                .putLong(0, number));
    }

    /// All parts as 64 hexadecimal digits. Nothing may be added afterwards.
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}

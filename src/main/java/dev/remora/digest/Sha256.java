package dev.remora.digest;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The one digest that we use: Argo CD announces archives by it.
public final class Sha256 {
    /// Copied for each use, which spares looking for it among the providers.
    private static final MessageDigest EMPTY = found();

    private Sha256() {}

    /// A new one, of nothing yet.
    public static MessageDigest digest() {
        try {
            return (MessageDigest) EMPTY.clone();
        } catch (CloneNotSupportedException e) {
            return found();
        }
    }

    private static MessageDigest found() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new Fault(FaultCode.INTERNAL, "this Java has no SHA-256", e);
        }
    }

    /// Of these bytes, as 64 hexadecimal digits.
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(digest().digest(bytes));
    }
}

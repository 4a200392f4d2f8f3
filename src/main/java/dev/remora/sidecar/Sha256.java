package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The digest that requests announce.
final class Sha256 {
    private Sha256() {}

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new Fault(FaultCode.INTERNAL, "this Java has no SHA-256", e);
        }
    }
}

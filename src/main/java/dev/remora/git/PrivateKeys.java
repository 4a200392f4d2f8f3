package dev.remora.git;

import dev.remora.fault.Secret;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Private keys as people have them in files: PEM with PKCS#1, SEC 1, PKCS#8 or OpenSSH's own form inside.
///
/// Whatever is wrong is an [IllegalArgumentException] whose words hold nothing of the key.
final class PrivateKeys {
    /// Larger ones are no keys.
    private static final int LONGEST = 64 << 10;

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----([^-]*)-----END [A-Z0-9 ]*PRIVATE KEY-----");

    private PrivateKeys() {}

    /// @param label such as `RSA PRIVATE KEY`
    @SuppressWarnings("ArrayRecordComponent") // handed on once
    record Pem(String label, byte[] content) {}

    static Pem pem(Secret key) {
        String text = key.reveal();
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("the private key is longer than " + LONGEST + " bytes");
        }
        Matcher pem = PEM.matcher(text);
        if (!pem.find()) {
            throw new IllegalArgumentException("the private key is no PEM text with BEGIN … PRIVATE KEY");
        }
        String label = pem.group(1);
        String body = pem.group(2);
        if (label.startsWith("ENCRYPTED") || body.contains("ENCRYPTED")) {
            throw new IllegalArgumentException("the private key is encrypted; give it without a passphrase");
        }
        try {
            return new Pem(label, Base64.getMimeDecoder().decode(body.strip()));
        } catch (IllegalArgumentException notBase64) {
            throw new IllegalArgumentException("the private key's PEM text is no base64");
        }
    }

    /// As PKCS#8; not of OpenSSH's own form.
    static byte[] pkcs8(Pem pem) {
        return switch (pem.label()) {
            case "RSA PRIVATE KEY" -> Der.ofRsa(pem.content());
            case "EC PRIVATE KEY" -> Der.ofEc(pem.content());
            case "PRIVATE KEY" -> pem.content();
            default -> throw new IllegalArgumentException("a " + pem.label() + " is not supported here");
        };
    }

    static PrivateKey read(byte[] pkcs8) {
        for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
            Optional<PrivateKey> key = read(pkcs8, algorithm);
            if (key.isPresent()) {
                return key.get();
            }
        }
        throw new IllegalArgumentException("the private key is none of RSA, EC and Ed25519");
    }

    private static Optional<PrivateKey> read(byte[] pkcs8, String algorithm) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8)));
        } catch (InvalidKeySpecException another) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}

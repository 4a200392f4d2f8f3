package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Secret;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;

/// A private key of TLS that curl must read from a file: encrypted with a passphrase that exists for one git command.
///
/// @param pem `BEGIN ENCRYPTED PRIVATE KEY`
record EncryptedKey(String pem, Secret passphrase) {
    private static final String ALGORITHM = "PBEWithHmacSHA256AndAES_256";
    private static final int PASSPHRASE_BYTES = 24;
    private static final int SALT_BYTES = 16;
    /// The passphrase is random, so that guessing it slowly is no matter.
    private static final int ROUNDS = 2048;

    private static final int LINE = 64;

    /// @param from for messages
    static EncryptedKey of(Secret key, String from) {
        byte[] plain;
        try {
            plain = PrivateKeys.pkcs8(PrivateKeys.pem(key));
        } catch (IllegalArgumentException e) {
            throw new Fault(FaultCode.GIT_CREDENTIALS, "tlsClientCertKey from " + from + ": " + Fault.words(e));
        }
        try {
            SecureRandom random = new SecureRandom();
            byte[] secret = new byte[PASSPHRASE_BYTES];
            random.nextBytes(secret);
            String passphrase = HexFormat.of().formatHex(secret);
            byte[] salt = new byte[SALT_BYTES];
            random.nextBytes(salt);
            Cipher cipher = Cipher.getInstance(ALGORITHM);
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    SecretKeyFactory.getInstance(ALGORITHM).generateSecret(new PBEKeySpec(passphrase.toCharArray())),
                    new PBEParameterSpec(salt, ROUNDS));
            byte[] encrypted = Der.encryptedKey(cipher.getParameters().getEncoded(), cipher.doFinal(plain));
            String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(encrypted);
            String pem = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + body + "\n-----END ENCRYPTED PRIVATE KEY-----\n";
            return new EncryptedKey(pem, new Secret(passphrase));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

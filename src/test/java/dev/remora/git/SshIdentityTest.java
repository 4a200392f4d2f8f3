package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.remora.fault.Secret;
import dev.remora.testing.NeedsTool;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsTool("ssh-keygen")
class SshIdentityTest {
    @TempDir
    private Path root;

    @ParameterizedTest
    @CsvSource({
        "ed25519, '', ssh-ed25519",
        "rsa, -b 2048, rsa-sha2-512",
        "rsa, -b 2048 -m PEM, rsa-sha2-512",
        "rsa, -b 2048 -m PKCS8, rsa-sha2-512",
        "ecdsa, -b 256, ecdsa-sha2-nistp256",
        "ecdsa, -b 384 -m PEM, ecdsa-sha2-nistp384",
        "ecdsa, -b 521 -m PKCS8, ecdsa-sha2-nistp521",
    })
    void readsEveryFormOfKeyAndSigns(String type, String form, String algorithm) throws Exception {
        Path key = root.resolve("key");
        SshServer.keygen(key, type, form.isEmpty() ? List.of() : List.of(form.split(" ", -1)));
        String[] publicKey = Files.readString(Path.of(key + ".pub")).split(" ", -1);

        SshIdentity identity = SshIdentity.of(new Secret(Files.readString(key)));

        assertThat(identity.blob()).isEqualTo(Base64.getDecoder().decode(publicKey[1]));
        DataInputStream signature = new DataInputStream(
                new ByteArrayInputStream(identity.sign("data".getBytes(StandardCharsets.UTF_8), 4)));
        assertThat(new String(SshIdentity.string(signature), StandardCharsets.US_ASCII))
                .isEqualTo(algorithm);
        assertThat(SshIdentity.string(signature)).hasSizeGreaterThan(60);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no key",
                "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\n\n-----END PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\n////\n-----END EC PRIVATE KEY-----",
                "-----BEGIN DSA PRIVATE KEY-----\nMIIE\n-----END DSA PRIVATE KEY-----",
            })
    void refusesWhatIsNoKey(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SshIdentity.of(new Secret(text)));
    }

    @Test
    void survivesEveryCutAndEveryFlippedByte() throws Exception {
        Path key = root.resolve("key");
        SshServer.keygen(key, "ed25519", List.of());
        PrivateKeys.Pem pem = PrivateKeys.pem(new Secret(Files.readString(key)));
        int refused = 0;
        for (int i = 0; i < pem.content().length; i++) {
            byte[] changed = pem.content().clone();
            changed[i] ^= (byte) 0xff;
            refused += refuses(changed) ? 1 : 0;
            refused += refuses(java.util.Arrays.copyOf(pem.content(), i)) ? 1 : 0;
        }
        assertThat(refused).isGreaterThan(pem.content().length / 2);
    }

    private static boolean refuses(byte[] content) {
        String text = "-----BEGIN OPENSSH PRIVATE KEY-----\n"
                + Base64.getEncoder().encodeToString(content)
                + "\n-----END OPENSSH PRIVATE KEY-----\n";
        try {
            SshIdentity _ = SshIdentity.of(new Secret(text));
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }
}

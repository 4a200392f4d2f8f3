package dev.remora.git;

import dev.remora.fault.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.util.Arrays;
import java.util.Map;

/// A key of SSH: its public half as the protocol writes it, and signatures by its private half (RFC 4253, 5656, 8332,
/// 8709; OpenSSH's PROTOCOL.key for its own form of file).
final class SshIdentity {
    private static final int RSA_SHA2_256 = 2;
    private static final int RSA_SHA2_512 = 4;
    private static final int SEED = 32;
    private static final byte[] OPENSSH = "openssh-key-v1\0".getBytes(StandardCharsets.US_ASCII);
    private static final String ED25519 = "ssh-ed25519";
    private static final String RSA = "ssh-rsa";
    private static final String ECDSA = "ecdsa-sha2-";

    /// SSH's names of curves, the JDK's, and the digest that goes with each.
    private static final Map<String, String> CURVES =
            Map.of("nistp256", "secp256r1", "nistp384", "secp384r1", "nistp521", "secp521r1");

    private static final Map<Integer, String> CURVES_BY_BITS =
            Map.of(256, "nistp256", 384, "nistp384", 521, "nistp521");
    private static final Map<String, String> DIGESTS =
            Map.of("nistp256", "SHA256", "nistp384", "SHA384", "nistp521", "SHA512");

    private final String type;
    private final byte[] blob;
    private final PrivateKey key;

    private SshIdentity(String type, byte[] blob, PrivateKey key) {
        this.type = type;
        this.blob = blob;
        this.key = key;
    }

    /// @throws IllegalArgumentException where the key cannot be used, in words without the key
    static SshIdentity of(Secret text) {
        PrivateKeys.Pem pem = PrivateKeys.pem(text);
        try {
            if (pem.label().equals("OPENSSH PRIVATE KEY")) {
                return ofOpenSsh(pem.content());
            }
            byte[] pkcs8 = PrivateKeys.pkcs8(pem);
            return switch (PrivateKeys.read(pkcs8)) {
                case RSAPrivateCrtKey rsa -> ofRsa(rsa);
                case EdECPrivateKey ed -> ofSeed(ed.getBytes().orElseThrow());
                case ECPrivateKey ec -> ofEc(ec, pkcs8);
                default -> throw new IllegalArgumentException("the private key is none of RSA, EC and Ed25519");
            };
        } catch (IOException e) {
            throw new IllegalArgumentException("the private key is cut off", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the private key cannot be read", e);
        }
    }

    private static SshIdentity ofOpenSsh(byte[] file) throws IOException, GeneralSecurityException {
        var all = new DataInputStream(new ByteArrayInputStream(file));
        if (!Arrays.equals(all.readNBytes(OPENSSH.length), OPENSSH)) {
            throw new IllegalArgumentException("the private key is not of OpenSSH's form");
        }
        String cipher = text(all);
        text(all);
        string(all);
        if (!cipher.equals("none")) {
            throw new IllegalArgumentException("the private key is encrypted; give it without a passphrase");
        }
        if (all.readInt() != 1) {
            throw new IllegalArgumentException("the file does not hold exactly one private key");
        }
        byte[] blob = string(all);
        var fields = new DataInputStream(new ByteArrayInputStream(string(all)));
        fields.readLong(); // two equal numbers that show a right passphrase
        String type = text(fields);
        return switch (type) {
            case ED25519 -> {
                string(fields);
                yield new SshIdentity(type, blob, seedKey(Arrays.copyOf(string(fields), SEED)));
            }
            case RSA -> new SshIdentity(type, blob, rsaKey(fields));
            default -> {
                if (!type.startsWith(ECDSA)) {
                    throw new IllegalArgumentException("a key of type " + type + " is not supported");
                }
                String curve = text(fields);
                string(fields);
                yield new SshIdentity(type, blob, ecKey(curve, number(fields)));
            }
        };
    }

    private static PrivateKey rsaKey(DataInputStream fields) throws IOException, GeneralSecurityException {
        BigInteger n = number(fields);
        BigInteger e = number(fields);
        BigInteger d = number(fields);
        BigInteger inverse = number(fields);
        BigInteger p = number(fields);
        BigInteger q = number(fields);
        BigInteger one = BigInteger.ONE;
        return KeyFactory.getInstance("RSA")
                .generatePrivate(new RSAPrivateCrtKeySpec(
                        n, e, d, p, q, d.mod(p.subtract(one)), d.mod(q.subtract(one)), inverse));
    }

    private static PrivateKey ecKey(String curve, BigInteger d) throws GeneralSecurityException {
        String name = CURVES.get(curve);
        if (name == null) {
            throw new IllegalArgumentException("the curve " + curve + " is not supported");
        }
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec(name));
        return KeyFactory.getInstance("EC")
                .generatePrivate(new ECPrivateKeySpec(d, parameters.getParameterSpec(ECParameterSpec.class)));
    }

    private static PrivateKey seedKey(byte[] seed) throws GeneralSecurityException {
        return KeyFactory.getInstance("Ed25519")
                .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
    }

    private static SshIdentity ofRsa(RSAPrivateCrtKey key) throws IOException {
        return new SshIdentity(
                RSA,
                fields(
                        text(RSA),
                        key.getPublicExponent().toByteArray(),
                        key.getModulus().toByteArray()),
                key);
    }

    /// The JDK makes a public key only together with a private one, from 32 random bytes: here they are the seed.
    private static SshIdentity ofSeed(byte[] seed) throws IOException, GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
        generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
        KeyPair pair = generator.generateKeyPair();
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] point = Arrays.copyOfRange(encoded, encoded.length - SEED, encoded.length);
        return new SshIdentity(ED25519, fields(text(ED25519), point), seedKey(seed));
    }

    private static SshIdentity ofEc(ECPrivateKey key, byte[] pkcs8) throws IOException {
        String curve = CURVES_BY_BITS.getOrDefault(
                key.getParams().getCurve().getField().getFieldSize(), "");
        byte[] point = Der.publicPoint(pkcs8)
                .filter(_ -> !curve.isEmpty())
                .orElseThrow(() -> new IllegalArgumentException(
                        "the EC key holds no public key or has another curve; convert it with ssh-keygen -p -f FILE"));
        return new SshIdentity(ECDSA + curve, fields(text(ECDSA + curve), text(curve), point), key);
    }

    private static final class Seed extends SecureRandom {
        private static final long serialVersionUID = 1;
        private final byte[] seed;

        Seed(byte[] seed) {
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    byte[] blob() {
        return blob.clone();
    }

    /// As the protocol writes a signature: the algorithm's name, then its bytes.
    byte[] sign(byte[] data, int flags) throws IOException, GeneralSecurityException {
        if (type.equals(ED25519)) {
            return fields(text(ED25519), signed("Ed25519", data));
        }
        if (type.equals(RSA)) {
            if ((flags & RSA_SHA2_512) != 0) {
                return fields(text("rsa-sha2-512"), signed("SHA512withRSA", data));
            }
            return (flags & RSA_SHA2_256) != 0
                    ? fields(text("rsa-sha2-256"), signed("SHA256withRSA", data))
                    : fields(text(RSA), signed("SHA1withRSA", data));
        }
        String digest = DIGESTS.getOrDefault(type.substring(ECDSA.length()), "SHA256");
        byte[] both = signed(digest + "withECDSAinP1363Format", data);
        int half = both.length / 2;
        byte[] r = new BigInteger(1, both, 0, half).toByteArray();
        byte[] s = new BigInteger(1, both, half, half).toByteArray();
        return fields(text(type), fields(r, s));
    }

    private byte[] signed(String algorithm, byte[] data) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(data);
        return signature.sign();
    }

    /// Each with its length in front.
    static byte[] fields(byte[]... values) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(all);
        for (byte[] value : values) {
            out.writeInt(value.length);
            out.write(value);
        }
        return all.toByteArray();
    }

    static byte[] string(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("cut off");
        }
        return in.readNBytes(length);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(string(in), StandardCharsets.US_ASCII);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static BigInteger number(DataInputStream in) throws IOException {
        return new BigInteger(string(in));
    }
}

package dev.remora.git;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/// As much of ASN.1's encoding as keys in older clothes need to be dressed as PKCS#8, which the JDK reads.
final class Der {
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int PARAMETERS = 0xa0;
    private static final int PUBLIC_KEY = 0xa1;
    private static final int LONG_FORM = 0x80;

    private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");
    private static final byte[] PBES2 = HexFormat.of().parseHex("06092a864886f70d01050d");
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private Der() {}

    /// PKCS#1 (`BEGIN RSA PRIVATE KEY`) as PKCS#8.
    static byte[] ofRsa(byte[] pkcs1) {
        return pkcs8(RSA, pkcs1);
    }

    /// SEC 1 (`BEGIN EC PRIVATE KEY`) as PKCS#8.
    static byte[] ofEc(byte[] sec1) {
        byte[] curve = field(sec1, PARAMETERS)
                .orElseThrow(() -> new IllegalArgumentException("the key does not name its curve"));
        byte[] algorithm = Arrays.copyOf(EC, EC.length + curve.length);
        System.arraycopy(curve, 0, algorithm, EC.length, curve.length);
        return pkcs8(algorithm, sec1);
    }

    /// The public point that an EC key may carry: `04`, x and y.
    static Optional<byte[]> publicPoint(byte[] pkcs8) {
        return field(pkcs8, OCTETS).flatMap(sec1 -> field(sec1, PUBLIC_KEY)).map(bits -> {
            Element string = element(bits, 0);
            return Arrays.copyOfRange(bits, string.from() + 1, string.to()); // without the count of unused bits
        });
    }

    /// An encrypted PKCS#8 key (RFC 5958) of the scheme PBES2.
    static byte[] encryptedKey(byte[] parameters, byte[] encrypted) {
        byte[] algorithm = Arrays.copyOf(PBES2, PBES2.length + parameters.length);
        System.arraycopy(parameters, 0, algorithm, PBES2.length, parameters.length);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(encoded(SEQUENCE, algorithm));
        body.writeBytes(encoded(OCTETS, encrypted));
        return encoded(SEQUENCE, body.toByteArray());
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(encoded(INTEGER, new byte[] {0}));
        body.writeBytes(encoded(SEQUENCE, algorithm));
        body.writeBytes(encoded(OCTETS, key));
        return encoded(SEQUENCE, body.toByteArray());
    }

    private static byte[] encoded(int tag, byte[] content) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        if (content.length < LONG_FORM) {
            all.write(content.length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(content.length) + 7) / 8;
            all.write(LONG_FORM | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                all.write(content.length >> (8 * i));
            }
        }
        all.writeBytes(content);
        return all.toByteArray();
    }

    /// Content of a sequence's first element with this tag.
    private static Optional<byte[]> field(byte[] sequence, int tag) {
        Element outer = element(sequence, 0);
        int at = outer.from();
        while (at < outer.to()) {
            Element inner = element(sequence, at);
            if (inner.tag() == tag) {
                return Optional.of(Arrays.copyOfRange(sequence, inner.from(), inner.to()));
            }
            at = inner.to();
        }
        return Optional.empty();
    }

    private record Element(int tag, int from, int to) {}

    private static Element element(byte[] all, int at) {
        try {
            int length = all[at + 1] & 0xff;
            int from = at + 2;
            if (length >= LONG_FORM) {
                int bytes = length & 0x7f;
                length = 0;
                for (int i = 0; i < bytes && bytes <= 3; i++) {
                    length = (length << 8) | (all[from + i] & 0xff);
                }
                from += bytes;
            }
            if (from + length > all.length) {
                throw new IllegalArgumentException("the key is cut off");
            }
            return new Element(all[at] & 0xff, from, from + length);
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new IllegalArgumentException("the key is cut off", e);
        }
    }
}

package dev.remora.manifest;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A file's text as UTF-8, whatever it is written in: a byte order mark tells UTF-16, and is dropped; each byte
/// that is no UTF-8 becomes U+FFFD.
final class FileText {
    private static final byte[] REPLACEMENT = "\uFFFD".getBytes(StandardCharsets.UTF_8);

    private FileText() {}

    static byte[] utf8(byte[] bytes) {
        if (begins(bytes, 0xFE, 0xFF)) {
            return decoded(bytes, StandardCharsets.UTF_16BE);
        }
        if (begins(bytes, 0xFF, 0xFE)) {
            return decoded(bytes, StandardCharsets.UTF_16LE);
        }
        return begins(bytes, 0xEF, 0xBB, 0xBF) ? replaced(Arrays.copyOfRange(bytes, 3, bytes.length)) : replaced(bytes);
    }

    private static boolean begins(byte[] bytes, int... mark) {
        for (int i = 0; i < mark.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] decoded(byte[] bytes, Charset charset) {
        return new String(bytes, 2, bytes.length - 2, charset).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] replaced(byte[] bytes) {
        int malformed = OutputText.firstMalformed(bytes);
        if (malformed < 0) {
            return bytes;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        int from = 0;
        while (malformed >= 0) {
            out.write(bytes, from, malformed - from);
            out.writeBytes(REPLACEMENT);
            from = malformed + 1;
            malformed = OutputText.firstMalformed(bytes, from);
        }
        out.write(bytes, from, bytes.length - from);
        return out.toByteArray();
    }

    static boolean contains(byte[] text, byte[] wanted) {
        for (int at = 0; at + wanted.length <= text.length; at++) {
            if (text[at] == wanted[0] && Arrays.equals(text, at, at + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }
}

package dev.remora.yaml;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.Arrays;

/// Bytes of JSON text that are being put together, up to a limit. Grows by halves; not for several threads.
final class JsonBuffer {
    private static final int FIRST = 512;
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private final long limit;
    private byte[] bytes = new byte[FIRST];
    private int size;

    JsonBuffer(long limit) {
        this.limit = limit;
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    void mark(char c) {
        room(1);
        bytes[size++] = (byte) c;
    }

    void ascii(String text) {
        room(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[size++] = (byte) text.charAt(i);
        }
    }

    /// A string in quotes with Go's escapes.
    void string(String value) {
        mark('"');
        int length = value.length();
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            room(6);
            if (c < 0x80) {
                character(c);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < length
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
                utf8(Character.toCodePoint(c, value.charAt(i)));
            } else if (Character.isSurrogate(c)) {
                // a byte that was no UTF-8: see GoText
                unicode(0xFFFD);
            } else if (c == 0x2028 || c == 0x2029) {
                unicode(c);
            } else {
                utf8(c);
            }
        }
        mark('"');
    }

    private void character(char c) {
        switch (c) {
            case '"', '\\' -> escape(c);
            case '\n' -> escape('n');
            case '\r' -> escape('r');
            case '\t' -> escape('t');
            case '\b' -> escape('b');
            case '\f' -> escape('f');
            case '<', '>', '&' -> unicode(c);
            default -> {
                if (c < ' ') {
                    unicode(c);
                } else {
                    bytes[size++] = (byte) c;
                }
            }
        }
    }

    private void escape(char letter) {
        bytes[size++] = '\\';
        bytes[size++] = (byte) letter;
    }

    private void unicode(int c) {
        escape('u');
        for (int shift = 12; shift >= 0; shift -= 4) {
            bytes[size++] = HEX[c >> shift & 0xF];
        }
    }

    private void utf8(int c) {
        if (c < 0x800) {
            bytes[size++] = (byte) (0xC0 | c >> 6);
        } else {
            if (c < 0x10000) {
                bytes[size++] = (byte) (0xE0 | (c >> 12));
            } else {
                bytes[size++] = (byte) (0xF0 | (c >> 18));
                bytes[size++] = (byte) (0x80 | ((c >> 12) & 0x3F));
            }
            bytes[size++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        }
        bytes[size++] = (byte) (0x80 | (c & 0x3F));
    }

    private void room(int more) {
        if (bytes.length - size >= more) {
            return;
        }
        if ((long) size + more > limit) {
            throw new Fault(
                    FaultCode.OUTPUT_TOO_LARGE, "the JSON text of the documents takes more than " + limit + " bytes");
        }
        long wanted = Math.max((long) size + more, size + (size >> 1) + 64L);
        bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
    }
}

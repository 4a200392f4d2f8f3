package dev.remora.posix;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A name, argument or value as the kernel has it: bytes, immutable, ordered as unsigned bytes.
///
/// A JVM under `LC_ALL=C` cannot say every file name as a `String`; these can.
public final class Bytes implements Comparable<Bytes> {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] value;

    private Bytes(byte[] value) {
        this.value = value;
    }

    public static Bytes of(byte[] value) {
        return value.length == 0 ? EMPTY : new Bytes(value.clone());
    }

    public static Bytes of(byte[] value, int from, int to) {
        return from == to ? EMPTY : new Bytes(Arrays.copyOfRange(value, from, to));
    }

    /// The UTF-8 form of `text`.
    public static Bytes utf8(String text) {
        return text.isEmpty() ? EMPTY : new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    public int length() {
        return value.length;
    }

    public boolean isEmpty() {
        return value.length == 0;
    }

    public byte at(int index) {
        return value[index];
    }

    public byte[] toArray() {
        return value.clone();
    }

    /// The bytes themselves, for handing to the kernel without a copy; never written to.
    byte[] unsafeArray() {
        return value;
    }

    /// First place of `wanted` from `from` on, or -1.
    public int indexOf(byte wanted, int from) {
        for (int i = from; i < value.length; i++) {
            if (value[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    public int lastIndexOf(byte wanted) {
        for (int i = value.length - 1; i >= 0; i--) {
            if (value[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    public Bytes slice(int from, int to) {
        return from == 0 && to == value.length ? this : of(value, from, to);
    }

    public boolean startsWith(Bytes prefix) {
        return value.length >= prefix.value.length
                && Arrays.equals(value, 0, prefix.value.length, prefix.value, 0, prefix.value.length);
    }

    public Bytes plus(Bytes other) {
        byte[] all = Arrays.copyOf(value, value.length + other.value.length);
        System.arraycopy(other.value, 0, all, value.length, other.value.length);
        return new Bytes(all);
    }

    /// `this/name`, as a path.
    public Bytes slash(Bytes name) {
        byte[] all = Arrays.copyOf(value, value.length + 1 + name.value.length);
        all[value.length] = '/';
        System.arraycopy(name.value, 0, all, value.length + 1, name.value.length);
        return new Bytes(all);
    }

    public boolean isUtf8() {
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(value));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /// As text for people: what is not UTF-8 becomes U+FFFD.
    @Override
    public String toString() {
        return new String(value, StandardCharsets.UTF_8);
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(value, other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(bytes.value, value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(value);
    }
}

package dev.remora.process;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Standard error: all of a short one, of a long one the beginning, where the cause often is, and the end, where the
/// rest is. Between them a line says how much was left out.
final class HeadAndTail {
    static final int HEAD = 16 * 1024;
    static final int TAIL = 48 * 1024;

    /// Where all of it is asked for: more than any log takes as a line, little enough to hold.
    static final int WHOLE = 16 << 20;

    private final int headLimit;
    private byte[] head = new byte[HEAD];
    private byte[] tail = new byte[0];
    private int inHead;
    private long seen;

    HeadAndTail(int headLimit) {
        this.headLimit = headLimit;
    }

    /// For a command's standard error, which is kept whole where the whole of it is to be logged.
    static HeadAndTail of(ProcessSettings settings) {
        return new HeadAndTail(settings.commandLog().isPresent() ? WHOLE : HEAD);
    }

    void add(byte[] bytes) {
        int take = Math.min(bytes.length, headLimit - inHead);
        if (inHead + take > head.length) {
            head = Arrays.copyOf(head, Math.min(headLimit, Math.max(2 * head.length, inHead + take)));
        }
        System.arraycopy(bytes, 0, head, inHead, take);
        inHead += take;
        for (int i = take; i < bytes.length; i++) {
            tailOnDemand()[(int) ((seen + i - headLimit) % TAIL)] = bytes[i];
        }
        seen += bytes.length;
    }

    private byte[] tailOnDemand() {
        if (tail.length == 0) {
            tail = new byte[TAIL];
        }
        return tail;
    }

    long seen() {
        return seen;
    }

    /// What is not UTF-8 becomes U+FFFD.
    String text() {
        long beyond = seen - inHead;
        if (beyond == 0) {
            return new String(head, 0, inHead, StandardCharsets.UTF_8);
        }
        if (beyond <= TAIL) {
            byte[] all = new byte[inHead + (int) beyond];
            System.arraycopy(head, 0, all, 0, inHead);
            System.arraycopy(tail, 0, all, inHead, (int) beyond);
            return new String(all, StandardCharsets.UTF_8);
        }
        byte[] ordered = new byte[TAIL];
        int oldest = (int) (beyond % TAIL);
        System.arraycopy(tail, oldest, ordered, 0, TAIL - oldest);
        System.arraycopy(tail, 0, ordered, TAIL - oldest, oldest);
        int headEnd = Utf8.wholeUntil(head, headLimit);
        int tailStart = Utf8.wholeFrom(ordered, 0);
        long leftOut = seen - headEnd - (TAIL - tailStart);
        return new String(head, 0, headEnd, StandardCharsets.UTF_8)
                + "\n… " + leftOut + " bytes left out …\n"
                + new String(ordered, tailStart, TAIL - tailStart, StandardCharsets.UTF_8);
    }
}

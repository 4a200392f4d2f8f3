package dev.remora.process;

/// Where characters begin and end in bytes that may or may not be UTF-8.
final class Utf8 {
    private Utf8() {}

    /// The length of the well-formed character at `at`, or 0 if there is none.
    static int lengthAt(byte[] bytes, int at) {
        int first = bytes[at] & 0xff;
        if (first < 0x80) {
            return 1;
        }
        int length = first >= 0xc2 && first < 0xe0
                ? 2
                : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
        if (length == 0 || at + length > bytes.length) {
            return 0;
        }
        for (int i = 1; i < length; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        int second = bytes[at + 1] & 0xff;
        boolean wrong = (first == 0xe0 && second < 0xa0)
                || (first == 0xed && second > 0x9f)
                || (first == 0xf0 && second < 0x90)
                || (first == 0xf4 && second > 0x8f);
        return wrong ? 0 : length;
    }

    /// The end at or before `end` that does not cut a character.
    static int wholeUntil(byte[] bytes, int end) {
        int start = end;
        while (start > 0 && end - start < 3 && isContinuation(bytes[start - 1])) {
            start--;
        }
        boolean cut = start > 0 && (bytes[start - 1] & 0xc0) == 0xc0 && start - 1 + lengthBy(bytes[start - 1]) > end;
        return cut ? start - 1 : end;
    }

    /// The start at or after `from` that does not cut a character.
    static int wholeFrom(byte[] bytes, int from) {
        int start = from;
        while (start < bytes.length && start - from < 3 && isContinuation(bytes[start])) {
            start++;
        }
        return start;
    }

    private static boolean isContinuation(byte value) {
        return (value & 0xc0) == 0x80;
    }

    private static int lengthBy(byte first) {
        return (first & 0xf0) == 0xf0 ? 4 : (first & 0xe0) == 0xe0 ? 3 : 2;
    }
}

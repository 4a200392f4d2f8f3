package dev.remora.telemetry;

/// Which characters Go shows as they are when it quotes a text.
public final class GoPrintable {
    private GoPrintable() {}

    /// Letters, marks, numbers, punctuation, symbols, and of the blanks only U+0020, as Go's `unicode.IsPrint`.
    public static boolean test(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}

package dev.remora.yaml;

/// A place where a key without `?` may have begun: it is one if a `:` follows on the same line, not too far away.
/// `possible` and `awaited` change; only its [Scanner] touches them.
final class SimpleKey {
    /// Characters between the beginning of such a key and its `:`, as YAML 1.1 limits them.
    private static final int MAX_LENGTH = 1024;

    final long tokenNumber;
    final boolean required;
    final int line;
    final int column;
    private final int index;
    boolean possible = true;
    /// Whether tokens are held back until it is known.
    boolean awaited = true;

    SimpleKey(long tokenNumber, boolean required, Cursor cursor) {
        this.tokenNumber = tokenNumber;
        this.required = required;
        this.line = cursor.line();
        this.column = cursor.column();
        this.index = cursor.index();
    }

    /// Whether the key could still be one at the cursor; one that had to be is then a fault.
    boolean stillPossible(Cursor cursor) {
        if (!possible) {
            return false;
        }
        if (line < cursor.line() || index + MAX_LENGTH < cursor.index()) {
            giveUp(cursor);
            return false;
        }
        return true;
    }

    void giveUp(Cursor cursor) {
        if (possible && required) {
            throw cursor.failure("could not find expected ':'");
        }
        possible = false;
    }
}

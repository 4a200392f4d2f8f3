package dev.remora.git;

import java.util.Locale;
import java.util.regex.Pattern;

/// The full name of a Git object: 40 hex digits, lower-case, or 64 in a repository of SHA-256.
public record CommitId(String hex) {
    private static final Pattern FULL = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

    public CommitId {
        if (!FULL.matcher(hex).matches()) {
            throw new IllegalArgumentException("not a commit id");
        }
    }

    static boolean isFull(String text) {
        return FULL.matcher(text.toLowerCase(Locale.ROOT)).matches();
    }

    /// In any case of letters.
    static CommitId of(String text) {
        return new CommitId(text.toLowerCase(Locale.ROOT));
    }

    /// The first seven digits, as people say it.
    public String shortText() {
        return hex.substring(0, 7);
    }

    @Override
    public String toString() {
        return hex;
    }
}

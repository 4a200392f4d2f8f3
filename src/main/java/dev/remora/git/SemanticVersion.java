package dev.remora.git;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A version of semver.org, read as loosely as Argo CD does: `v` in front, one or two numbers instead of three,
/// leading zeros (docs/spec/git.md, "Ranges").
///
/// @param major unsigned, as all three numbers
/// @param pre the pre-release without its dash, or empty
/// @param original as it was written
record SemanticVersion(long major, long minor, long patch, String pre, String original)
        implements Comparable<SemanticVersion> {
    private static final String WORDS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
    private static final Pattern VERSION =
            Pattern.compile("v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?(?:-(" + WORDS + "))?(?:\\+" + WORDS + ")?");

    /// What a text turned out to be.
    sealed interface Parsed {
        record Version(SemanticVersion version) implements Parsed {}

        /// A number beyond 64 bits, or a pre-release number with a leading zero. As a tag it spoils every range of
        /// the repository.
        record Malformed() implements Parsed {}

        record NoVersion() implements Parsed {}
    }

    static Parsed parse(String text) {
        Matcher match = VERSION.matcher(text);
        if (!match.matches()) {
            return new Parsed.NoVersion();
        }
        String pre = Optional.ofNullable(match.group(4)).orElse("");
        if (hasLeadingZero(pre)) {
            return new Parsed.Malformed();
        }
        try {
            return new Parsed.Version(new SemanticVersion(
                    number(match.group(1)), number(match.group(2)), number(match.group(3)), pre, text));
        } catch (NumberFormatException beyond64Bits) {
            return new Parsed.Malformed();
        }
    }

    private static boolean hasLeadingZero(String pre) {
        for (String part : pre.split("\\.", -1)) {
            if (part.length() > 1 && part.charAt(0) == '0' && part.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return true;
            }
        }
        return false;
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseUnsignedLong(digits);
    }

    boolean isPreRelease() {
        return !pre.isEmpty();
    }

    /// By precedence: build metadata does not count.
    @Override
    public int compareTo(SemanticVersion other) {
        int numbers = Long.compareUnsigned(major, other.major);
        numbers = numbers != 0 ? numbers : Long.compareUnsigned(minor, other.minor);
        numbers = numbers != 0 ? numbers : Long.compareUnsigned(patch, other.patch);
        if (numbers != 0 || pre.equals(other.pre)) {
            return numbers;
        }
        if (pre.isEmpty() || other.pre.isEmpty()) {
            return pre.isEmpty() ? 1 : -1;
        }
        return comparePre(pre, other.pre);
    }

    /// Part by part; fewer parts come first, numbers before words.
    static int comparePre(String one, String other) {
        String[] ours = one.split("\\.", -1);
        String[] theirs = other.split("\\.", -1);
        for (int i = 0; i < Math.max(ours.length, theirs.length); i++) {
            int part = comparePart(i < ours.length ? ours[i] : "", i < theirs.length ? theirs[i] : "");
            if (part != 0) {
                return part;
            }
        }
        return 0;
    }

    private static int comparePart(String one, String other) {
        if (one.equals(other)) {
            return 0;
        }
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? -1 : 1;
        }
        Optional<Long> ours = numeric(one);
        Optional<Long> theirs = numeric(other);
        if (ours.isPresent() && theirs.isPresent()) {
            return Long.compareUnsigned(ours.get(), theirs.get()) > 0 ? 1 : -1;
        }
        if (ours.isEmpty() && theirs.isEmpty()) {
            return one.compareTo(other) > 0 ? 1 : -1;
        }
        return ours.isPresent() ? -1 : 1;
    }

    private static Optional<Long> numeric(String part) {
        try {
            boolean digits = part.chars().allMatch(c -> c >= '0' && c <= '9');
            return digits ? Optional.of(Long.parseUnsignedLong(part)) : Optional.empty();
        } catch (NumberFormatException beyond64Bits) {
            return Optional.empty();
        }
    }

    /// Two versions are equal when they were written alike; whether they rank alike says [#compareTo].
    @Override
    public boolean equals(Object other) {
        return other instanceof SemanticVersion version && version.original.equals(original);
    }

    @Override
    public int hashCode() {
        return original.hashCode();
    }
}

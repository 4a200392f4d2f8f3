package dev.remora.git;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A range of versions such as `^1.2`, `1.x`, `>=1 <2`, `1.0 - 1.5` or `^1 || ^2` (docs/spec/git.md, "Ranges").
///
/// Groups separated by `||` are alternatives; in a group all terms hold. A pre-release is in a group only if one of
/// its terms names a pre-release.
final class VersionRange {
    /// Beyond this a text is no range but an attempt on our time.
    private static final int LONGEST = 1024;

    private static final String PART = "[0-9xX*|]+";
    private static final String WORDS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
    private static final String OPERATOR = "(?:=>|>=|=<|<=|!=|~>|=|>|<|~|\\^)?";
    /// Groups: three parts and the pre-release with its dash.
    private static final String VERSION =
            "v?(" + PART + ")(?:\\.(" + PART + "))?(?:\\.(" + PART + "))?(-" + WORDS + ")?(?:\\+" + WORDS + ")?";

    private static final String UNGROUPED =
            "v?" + PART + "(?:\\." + PART + ")?(?:\\." + PART + ")?(?:-" + WORDS + ")?(?:\\+" + WORDS + ")?";

    private static final Pattern HYPHENS = Pattern.compile("\\s*(" + UNGROUPED + ")\\s+-\\s+(" + UNGROUPED + ")\\s*");
    private static final Pattern GROUP = Pattern.compile("\\s*" + OPERATOR + "\\s*" + UNGROUPED
            + "\\s*(?:(?:\\s+|,\\s*)" + OPERATOR + "\\s*" + UNGROUPED + "\\s*)*");
    private static final Pattern TERM = Pattern.compile("(" + OPERATOR + ")\\s*(" + UNGROUPED + ")");
    private static final Pattern PARTS = Pattern.compile(VERSION);

    private final List<Group> groups;

    private record Group(List<RangeTerm> terms, boolean preReleases) {}

    private VersionRange(List<Group> groups) {
        this.groups = groups;
    }

    /// Empty where the text is no range. A plain version is one, of itself.
    static Optional<VersionRange> parse(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        List<Group> groups = new ArrayList<>();
        for (String group : withoutHyphens(text).split("\\|\\|", -1)) {
            if (!GROUP.matcher(group).matches()) {
                return Optional.empty();
            }
            List<RangeTerm> terms = new ArrayList<>();
            Matcher term = TERM.matcher(group);
            while (term.find()) {
                Optional<RangeTerm> read = term(term.group(1), term.group(2));
                if (read.isEmpty()) {
                    return Optional.empty();
                }
                terms.add(read.get());
            }
            boolean preReleases = terms.stream().anyMatch(t -> t.version().isPreRelease());
            groups.add(new Group(terms, preReleases));
        }
        return Optional.of(new VersionRange(groups));
    }

    boolean contains(SemanticVersion version) {
        return groups.stream()
                .anyMatch(group -> (group.preReleases() || !version.isPreRelease())
                        && group.terms().stream().allMatch(term -> term.admits(version)));
    }

    /// `a - b` is `>= a, <= b`.
    private static String withoutHyphens(String text) {
        return HYPHENS.matcher(text).replaceAll(">= $1, <= $2 ");
    }

    private static Optional<RangeTerm> term(String operator, String written) {
        Matcher parts = PARTS.matcher(written);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String pre = orEmpty(parts.group(4));
        String major = orEmpty(parts.group(1));
        String minor = orEmpty(parts.group(2));
        RangeTerm.Open open;
        String version;
        if (isOpen(major)) {
            open = RangeTerm.Open.MAJOR;
            version = "0.0.0" + pre;
        } else if (isOpen(minor)) {
            open = RangeTerm.Open.MINOR;
            version = major + ".0.0" + pre;
        } else if (isOpen(orEmpty(parts.group(3)))) {
            open = RangeTerm.Open.PATCH;
            version = major + "." + minor + ".0" + pre;
        } else {
            open = RangeTerm.Open.NOTHING;
            version = written;
        }
        return SemanticVersion.parse(version) instanceof SemanticVersion.Parsed.Version(SemanticVersion read)
                ? Optional.of(new RangeTerm(RangeTerm.Operator.of(operator), read, open))
                : Optional.empty();
    }

    private static boolean isOpen(String part) {
        return part.isEmpty() || part.equals("x") || part.equals("X") || part.equals("*");
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}

package dev.remora.glob;

import com.google.re2j.PatternSyntaxException;
import dev.remora.fault.Fault;
import dev.remora.glob.GlobTree.Kind;
import dev.remora.glob.GlobTree.Look;
import dev.remora.posix.Bytes;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// zglob: shell patterns with `**/` and `{a,b}`, with all quirks of go-zglob 0.0.6. See `docs/spec/discovery.md`.
///
/// The segments before the first one with `*` or `{` are the walk's root, taken as they are. Everything below it is
/// visited, links are not entered, and each path is held against the whole pattern as a [Mask]. The mask runs along
/// with the walk, so every name is read once.
public final class ZGlob {
    private static final Pattern VARIABLE = Pattern.compile("\\$[a-zA-Z][a-zA-Z0-9_]+|\\$\\([a-zA-Z][a-zA-Z0-9_]+\\)");
    private static final String NOT_FOUND = "file does not exist";

    private final Bytes pattern;
    private final UnaryOperator<String> environment;

    /// The pattern is absolute and clean; `environment` gives the value of a variable, empty when it is not set.
    public ZGlob(Bytes pattern, UnaryOperator<String> environment) {
        this.pattern = pattern;
        this.environment = environment;
    }

    /// What the pattern finds.
    public GlobResult in(GlobTree tree) {
        Optional<Bytes> root = root();
        if (root.isEmpty()) {
            return tree.stat(pattern) instanceof Look.Found
                    ? new GlobResult.Matched(pattern)
                    : new GlobResult.Absent(NOT_FOUND);
        }
        Mask mask;
        try {
            mask = MaskParser.parse(expanded());
        } catch (PatternSyntaxException e) {
            return new GlobResult.Failed(Fault.words(e));
        }
        return switch (tree.stat(root.get())) {
            case Look.Failed(String reason) -> new GlobResult.Absent("stat " + root.get() + ": " + reason);
            case Look.Found(Kind kind) -> new ZGlobWalk(tree, mask, root.get()).from(kind);
        };
    }

    /// How the last name of every match ends; empty when that cannot be said.
    public Optional<Bytes> nameEnding() {
        if (root().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(MaskParser.parse(expanded()).nameEnding());
        } catch (PatternSyntaxException e) {
            return Optional.empty();
        }
    }

    /// The folder before the first wildcard, variables replaced; none when there is no wildcard.
    private Optional<Bytes> root() {
        Bytes before = CleanPath.ROOT;
        for (Bytes segment : CleanPath.segments(pattern)) {
            if (segment.indexOf((byte) '*', 0) >= 0 || segment.indexOf((byte) '{', 0) >= 0) {
                return Optional.of(before);
            }
            before = CleanPath.join(before, replaced(segment));
        }
        return Optional.empty();
    }

    private Bytes expanded() {
        Bytes whole = CleanPath.ROOT;
        for (Bytes segment : CleanPath.segments(pattern)) {
            whole = CleanPath.join(whole, replaced(segment));
        }
        return whole;
    }

    /// `$NAME` becomes the variable's value without surrounding parentheses and quotes; `$(NAME)` becomes nothing, as
    /// zglob looks for a variable with the parentheses in its name.
    private Bytes replaced(Bytes segment) {
        String text = segment.toString();
        if (!VARIABLE.matcher(text).matches()) {
            return segment;
        }
        String value = environment.apply(text.substring(1));
        return Bytes.utf8(trimmed(trimmed(value, "()"), "\""));
    }

    private static String trimmed(String text, String letters) {
        int from = 0;
        int to = text.length();
        while (from < to && letters.indexOf(text.charAt(from)) >= 0) {
            from++;
        }
        while (to > from && letters.indexOf(text.charAt(to - 1)) >= 0) {
            to--;
        }
        return text.substring(from, to);
    }
}

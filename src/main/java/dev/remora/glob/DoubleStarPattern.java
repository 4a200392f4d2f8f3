package dev.remora.glob;

import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A pattern for entries of a tree, as doublestar has them: `**` as a whole part stands for any number of folders, also
/// none; every other part is a pattern of Go's `filepath.Match`; `{a,b}` are alternatives. A pattern whose last part
/// holds no wildcard, or that ends in `/`, also takes all that lies below what it names. See
/// `docs/spec/plugin-yaml.md`.
///
/// A path is read part by part, and all places of the pattern that it may have come to are followed at once, as bits of
/// one number. So a name costs at most the pattern's length, however many `**` there are.
public final class DoubleStarPattern {
    /// One bit each, and one for the end.
    private static final int MOST_PARTS = 62;
    /// What the alternatives of one pattern may multiply to.
    private static final int MOST_ALTERNATIVES = 256;

    private static final Bytes ANY_FOLDERS = Bytes.utf8("**");
    private static final String WILDCARDS = "*?[\\";

    /// One part of a pattern.
    private sealed interface Part {
        record Folders() implements Part {}

        record Literal(Bytes name) implements Part {}

        record Wild(FilePathPattern pattern) implements Part {}
    }

    private final List<Part> parts;
    private final List<Bytes> way;

    private DoubleStarPattern(List<Part> parts) {
        this.parts = List.copyOf(parts);
        this.way = parts.stream()
                .takeWhile(part -> part instanceof Part.Literal)
                .map(part -> ((Part.Literal) part).name())
                .toList();
    }

    /// The patterns that `text` stands for, one for each choice of its alternatives; empty when it is malformed: a
    /// bracket without its end, too many parts or alternatives.
    ///
    /// @param base the names in front of the pattern, taken as they are
    public static Optional<List<DoubleStarPattern>> parse(List<Bytes> base, Bytes text) {
        Optional<List<Bytes>> choices = Alternatives.of(text, MOST_ALTERNATIVES);
        if (choices.isEmpty()) {
            return Optional.empty();
        }
        List<DoubleStarPattern> all = new ArrayList<>();
        for (Bytes choice : choices.get()) {
            List<Part> parts = parts(base, choice);
            boolean malformed = parts.stream()
                    .anyMatch(part -> part instanceof Part.Wild(FilePathPattern wild) && !wild.wellFormed());
            if (malformed || parts.size() > MOST_PARTS) {
                return Optional.empty();
            }
            all.add(new DoubleStarPattern(parts));
        }
        return Optional.of(List.copyOf(all));
    }

    private static List<Part> parts(List<Bytes> base, Bytes text) {
        List<Bytes> names = LexicalPath.parts(text);
        List<Part> parts = new ArrayList<>();
        base.forEach(name -> parts.add(new Part.Literal(name)));
        names.forEach(name -> parts.add(part(name)));
        boolean slash = !text.isEmpty() && text.at(text.length() - 1) == '/';
        boolean named = parts.isEmpty() || parts.getLast() instanceof Part.Literal;
        if (slash || named) {
            parts.add(new Part.Folders());
        }
        return parts;
    }

    private static Part part(Bytes name) {
        if (name.equals(ANY_FOLDERS)) {
            return new Part.Folders();
        }
        for (int i = 0; i < name.length(); i++) {
            if (WILDCARDS.indexOf(name.at(i)) >= 0) {
                return new Part.Wild(FilePathPattern.of(name));
            }
        }
        return new Part.Literal(name);
    }

    /// `name` as a part of a pattern that matches nothing else.
    public static String quoted(String name) {
        return name.replaceAll("[*?\\[\\\\{},]", "\\\\$0");
    }

    /// The names in front of the first wildcard.
    public List<Bytes> way() {
        return way;
    }

    /// Where a path begins: at the root.
    public long start() {
        return closed(1);
    }

    /// Behind one more name of the path. 0: nothing that begins like this can match.
    public long after(long places, Bytes name) {
        long next = 0;
        for (long left = places; left != 0; left &= left - 1) {
            int at = Long.numberOfTrailingZeros(left);
            if (at < parts.size()) {
                next |= step(at, name);
            }
        }
        return closed(next);
    }

    private long step(int at, Bytes name) {
        return switch (parts.get(at)) {
            case Part.Folders() -> 1L << at;
            case Part.Literal(Bytes wanted) -> wanted.equals(name) ? 1L << (at + 1) : 0;
            case Part.Wild(FilePathPattern pattern) ->
                pattern.match(name) == FilePathPattern.Answer.YES ? 1L << (at + 1) : 0;
        };
    }

    /// `**` may also stand for nothing.
    private long closed(long places) {
        long all = places;
        for (int at = 0; at < parts.size(); at++) {
            if ((all & 1L << at) != 0 && parts.get(at) instanceof Part.Folders) {
                all |= 1L << (at + 1);
            }
        }
        return all;
    }

    /// Whether the path that came to `places` matches.
    public boolean accepts(long places) {
        return (places & 1L << parts.size()) != 0;
    }

    /// Whether the whole path matches.
    public boolean matches(List<Bytes> path) {
        long places = start();
        for (Bytes name : path) {
            places = after(places, name);
        }
        return accepts(places);
    }

    /// Whether any of the patterns that `text` stands for matches a path; for tests and single questions.
    static boolean matches(String text, String path) {
        return parse(List.of(), Bytes.utf8(text)).stream()
                .flatMap(List::stream)
                .flatMap(Stream::of)
                .anyMatch(pattern -> pattern.matches(LexicalPath.parts(Bytes.utf8(path))));
    }
}

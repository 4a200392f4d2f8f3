package dev.remora.glob;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/// A pattern for whole paths as Argo CD has it for `directory.include` and `exclude`: the glob dialect of gobwas,
/// told of no separator, so that a path is flat text and `*` takes slashes too (docs/spec/directory.md).
///
/// All places of the pattern that the text may have come to are followed at once. So a text costs at most its
/// length times the pattern's, however many stars and alternatives there are.
public final class FlatPattern {
    /// Far more than anybody writes; a path of a hostile pattern stays cheap.
    private static final int MOST_LENGTH = 4096;

    /// A place in the pattern: what it takes, where that leads, and where it may go without taking anything.
    private record Place(IntPredicate takes, int next, List<Integer> free) {}

    private static final int END = 0;

    private final List<Place> places = new ArrayList<>();
    private final int start;
    private final Optional<Ends> ends;

    /// A pattern of one star between two texts. Gobwas looks only how a text begins and ends, so `a*a.yaml` takes
    /// `a.yaml`, where both share a letter.
    private record Ends(String first, String last) {
        static Optional<Ends> of(List<FlatPart> parts) {
            int star = parts.indexOf(new FlatPart.Any());
            return star < 0
                    ? Optional.empty()
                    : text(parts.subList(0, star))
                            .flatMap(first ->
                                    text(parts.subList(star + 1, parts.size())).map(last -> new Ends(first, last)));
        }

        private static Optional<String> text(List<FlatPart> parts) {
            StringBuilder text = new StringBuilder();
            for (FlatPart part : parts) {
                if (!(part instanceof FlatPart.Exact(int character))) {
                    return Optional.empty();
                }
                text.appendCodePoint(character);
            }
            return Optional.of(text.toString());
        }

        boolean matches(String text) {
            return text.startsWith(first) && text.endsWith(last);
        }
    }

    private FlatPattern(List<FlatPart> parts) {
        this.ends = Ends.of(parts);
        places.add(new Place(c -> false, END, List.of()));
        this.start = sequence(parts, END);
    }

    /// Empty where it is malformed: an open bracket, a range that is none or backwards.
    public static Optional<FlatPattern> parse(String text) {
        return text.length() > MOST_LENGTH
                ? Optional.empty()
                : FlatParser.parse(text).map(FlatPattern::new);
    }

    /// Whether the whole text matches.
    public boolean matches(String text) {
        return ends.map(both -> both.matches(text)).orElseGet(() -> follow(text));
    }

    private boolean follow(String text) {
        BitSet now = new BitSet();
        enter(start, now);
        for (int c : text.codePoints().toArray()) {
            BitSet next = new BitSet();
            for (int at = now.nextSetBit(0); at >= 0; at = now.nextSetBit(at + 1)) {
                Place place = places.get(at);
                if (place.takes().test(c)) {
                    enter(place.next(), next);
                }
            }
            now = next;
        }
        return now.get(END);
    }

    private void enter(int first, BitSet set) {
        List<Integer> waiting = new ArrayList<>(List.of(first));
        while (!waiting.isEmpty()) {
            int at = waiting.removeLast();
            if (!set.get(at)) {
                set.set(at);
                waiting.addAll(places.get(at).free());
            }
        }
    }

    /// The place where `parts` begin that end at `next`.
    private int sequence(List<FlatPart> parts, int next) {
        int at = next;
        for (FlatPart part : parts.reversed()) {
            at = part(part, at);
        }
        return at;
    }

    private int part(FlatPart part, int next) {
        return switch (part) {
            case FlatPart.Exact(int character) -> add(new Place(c -> c == character, next, List.of()));
            case FlatPart.One(IntPredicate takes) -> add(new Place(takes, next, List.of()));
            case FlatPart.Any() -> {
                int itself = places.size();
                yield add(new Place(c -> true, itself, List.of(next)));
            }
            case FlatPart.Choice choice -> {
                List<Integer> starts = choice.isEmpty()
                        ? List.of()
                        : choice.alternatives().stream()
                                .map(alternative -> sequence(alternative, next))
                                .toList();
                yield add(new Place(c -> false, END, starts));
            }
        };
    }

    private int add(Place place) {
        places.add(place);
        return places.size() - 1;
    }
}

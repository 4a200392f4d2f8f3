package dev.remora.glob;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A piece of a [FilePathPattern] without `*`: single characters, `?` and `[sets]`.
///
/// @param star whether any run without `/` may stand before it
/// @param malformed whether a step could not be read; `steps` then ends before it
record PatternChunk(boolean star, List<Step> steps, boolean malformed) {
    /// One character or byte of the name.
    sealed interface Step {
        record Literal(byte value) implements Step {}

        /// Any character but `/`.
        record Any() implements Step {}

        /// A set, in which `/` may be.
        record Set(boolean negated, List<Range> ranges) implements Step {}
    }

    record Range(int low, int high) {
        boolean holds(int rune) {
            return low <= rune && rune <= high;
        }
    }

    private static final int NO_FIT = -1;

    /// Where the chunk that begins at `from` ends: before the next `*` outside brackets.
    static int end(byte[] text, int from) {
        boolean inSet = false;
        for (int i = from; i < text.length; i++) {
            switch (text[i]) {
                case '\\' -> i++;
                case '[' -> inSet = true;
                case ']' -> inSet = false;
                case '*' -> {
                    if (!inSet) {
                        return i;
                    }
                }
                default -> {}
            }
        }
        return text.length;
    }

    static PatternChunk parse(byte[] text, int from, int to, boolean star) {
        var steps = new ArrayList<Step>();
        var cursor = new Cursor(text, from, to);
        while (!cursor.atEnd()) {
            Optional<Step> step = cursor.step();
            if (step.isEmpty()) {
                return new PatternChunk(star, steps, true);
            }
            steps.add(step.get());
        }
        return new PatternChunk(star, steps, false);
    }

    /// A `*` at the pattern's end.
    boolean isTrailingStar() {
        return star && steps.isEmpty() && !malformed;
    }

    /// Where the chunk ends when it is laid on `name` at `from`; -1 when it does not fit there.
    int fit(byte[] name, int from) {
        int at = from;
        for (Step step : steps) {
            if (at >= name.length) {
                return NO_FIT;
            }
            int width = taken(step, name, at);
            if (width == 0) {
                return NO_FIT;
            }
            at += width;
        }
        return at;
    }

    private static int taken(Step step, byte[] name, int at) {
        return switch (step) {
            case Step.Literal(byte value) -> name[at] == value ? 1 : 0;
            case Step.Any() -> name[at] == '/' ? 0 : runeWidth(name, at);
            case Step.Set(boolean negated, List<Range> ranges) -> {
                int rune = Runes.at(name, at, name.length);
                boolean inside = ranges.stream().anyMatch(range -> range.holds(rune));
                yield inside == negated ? 0 : runeWidth(name, at);
            }
        };
    }

    private static int runeWidth(byte[] name, int at) {
        return Runes.width(name, at, name.length, Runes.at(name, at, name.length));
    }

    /// Reads steps; empty means malformed.
    private static final class Cursor {
        private static final int MALFORMED = -1;

        private final byte[] text;
        private final int to;
        private int at;

        Cursor(byte[] text, int from, int to) {
            this.text = text;
            this.at = from;
            this.to = to;
        }

        boolean atEnd() {
            return at >= to;
        }

        Optional<Step> step() {
            byte next = text[at++];
            return switch (next) {
                case '[' -> set();
                case '?' -> Optional.of(new Step.Any());
                case '\\' -> atEnd() ? Optional.empty() : Optional.of(new Step.Literal(text[at++]));
                default -> Optional.of(new Step.Literal(next));
            };
        }

        private Optional<Step> set() {
            boolean negated = !atEnd() && text[at] == '^';
            if (negated) {
                at++;
            }
            var ranges = new ArrayList<Range>();
            while (true) {
                if (!atEnd() && text[at] == ']' && !ranges.isEmpty()) {
                    at++;
                    return Optional.of(new Step.Set(negated, List.copyOf(ranges)));
                }
                int low = member();
                int high = low;
                if (low != MALFORMED && text[at] == '-') {
                    at++;
                    high = member();
                }
                if (low == MALFORMED || high == MALFORMED) {
                    return Optional.empty();
                }
                ranges.add(new Range(low, high));
            }
        }

        /// A character of a set, which cannot be the chunk's last one.
        private int member() {
            if (atEnd() || text[at] == '-' || text[at] == ']') {
                return MALFORMED;
            }
            if (text[at] == '\\') {
                at++;
                if (atEnd()) {
                    return MALFORMED;
                }
            }
            int rune = Runes.at(text, at, to);
            int width = Runes.width(text, at, to, rune);
            at += width;
            boolean invalid = rune == Runes.ERROR && width == 1;
            return invalid || atEnd() ? MALFORMED : rune;
        }
    }
}

package dev.remora.glob;

import java.util.List;
import java.util.function.IntPredicate;

/// A piece of a [FlatPattern].
sealed interface FlatPart {
    /// This very character.
    record Exact(int character) implements FlatPart {}

    /// One character of many.
    record One(IntPredicate takes) implements FlatPart {}

    /// Any text, also none.
    record Any() implements FlatPart {}

    /// One of several sequences.
    record Choice(List<List<FlatPart>> alternatives) implements FlatPart {
        public Choice {
            alternatives = List.copyOf(alternatives);
        }

        /// `{}` matches no text at all, as gobwas has it.
        boolean isEmpty() {
            return alternatives.stream().allMatch(List::isEmpty);
        }
    }
}

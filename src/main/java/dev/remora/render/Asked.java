package dev.remora.render;

import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import java.util.Optional;

/// One plugin and what came of asking it whether it wants a source.
///
/// @param beyond whether Argo CD would not get as far as this plugin; asked all the same, it changes nothing
public record Asked(KnownPlugin plugin, Answer answer, boolean beyond) {
    /// What came of it.
    public sealed interface Answer {
        /// For people.
        default String words() {
            return switch (this) {
                case Said(Verdict.No(String why, Optional<String> closest)) ->
                    why + closest.map(near -> "; " + near).orElse("");
                case Said(Verdict verdict) -> verdict.reason();
                case Failed(Fault fault) -> Fault.words(fault);
                case NotAsked(String why) -> why;
            };
        }

        /// The plugin's own word.
        record Said(Verdict verdict) implements Answer {}

        /// Whether it wants the source is not known.
        record Failed(Fault fault) implements Answer {}

        /// Nobody asked.
        ///
        /// @param why one sentence without a full stop
        record NotAsked(String why) implements Answer {}
    }

    /// Whether it wants the source.
    public boolean wants() {
        return answer instanceof Answer.Said(Verdict verdict) && verdict.supported();
    }
}

package dev.remora.git;

import java.util.Optional;

/// What a revision turned out to be.
///
/// @param asked the revision as the Application has it
/// @param answered what Argo CD would call it before it checks out: usually the full commit id; a short id stays
///     short, and a full one keeps its capitals. It is the revision of every element of `sources`; a single `source`
///     gets the commit's full id instead.
/// @param commit empty for a short commit id, which only the repository's history can complete
/// @param ref the ref that was meant
public record Resolution(String asked, String answered, Optional<CommitId> commit, Rule rule, Optional<String> ref) {
    /// By which rule it was found.
    public enum Rule {
        COMMIT("a full commit id"),
        SHORT_COMMIT("a short commit id"),
        HEAD("the repository's HEAD"),
        NAME("a ref's name"),
        RANGE("the highest tag in a range of versions"),
        FOLDER("a local folder"),
        CHECKOUT("a commit of the local checkout");

        private final String words;

        Rule(String words) {
            this.words = words;
        }

        /// For people.
        public String words() {
            return words;
        }
    }
}

package dev.remora.workspace;

/// What a request's tree was made from.
///
/// @param filesWritten files that unpacking wrote
/// @param bytesSaved bytes of files that were there already
public record Lending(Kind kind, long filesWritten, long bytesSaved) {
    /// How a tree was come by.
    public enum Kind {
        /// A tree of the same archive, untouched: nothing was inflated.
        SAME("same"),
        /// A tree of another archive, or one that a command had changed: what differs was written.
        CHANGED("changed"),
        /// An empty folder.
        FRESH("fresh");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}

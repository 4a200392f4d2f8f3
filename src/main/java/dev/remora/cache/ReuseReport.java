package dev.remora.cache;

/// What became of a call's question for an answer that was made before.
///
/// @param outcome for people and metrics
/// @param reason one word of a short list, for metrics
/// @param detail the same for people, with names
public record ReuseReport(Outcome outcome, String reason, String detail) {
    /// The definition does not allow it, or nothing was asked.
    public static final ReuseReport OFF = new ReuseReport(Outcome.OFF, "", "");

    /// Whether there was one.
    public enum Outcome {
        OFF,
        /// Allowed, and not done for this call.
        SKIPPED,
        HIT,
        MISS;

        /// As logs and metrics say it.
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    public static ReuseReport skipped(String reason, String detail) {
        return new ReuseReport(Outcome.SKIPPED, reason, detail);
    }

    public static ReuseReport hit(String reason, String detail) {
        return new ReuseReport(Outcome.HIT, reason, detail);
    }

    public static ReuseReport miss(String reason, String detail) {
        return new ReuseReport(Outcome.MISS, reason, detail);
    }

    /// The same with one more thing to tell.
    public ReuseReport also(String more) {
        return new ReuseReport(outcome, reason, detail.isEmpty() ? more : detail + "; " + more);
    }
}

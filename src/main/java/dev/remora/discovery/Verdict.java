package dev.remora.discovery;

import java.util.Optional;

/// Whether a plugin wants a folder. The third answer, that this cannot be told, is a fault.
public sealed interface Verdict {
    /// Why, as one sentence without a full stop.
    String reason();

    /// Whether the plugin has a rule at all.
    default boolean discoveryConfigured() {
        return !(this instanceof Unasked);
    }

    default boolean supported() {
        return this instanceof Yes;
    }

    record Yes(String reason) implements Verdict {}

    /// The plugin does not want it.
    ///
    /// @param closest what nearly matched, where it was looked for
    record No(String reason, Optional<String> closest) implements Verdict {}

    /// No rule is stated: the plugin serves those that call it by name.
    record Unasked(String reason) implements Verdict {}
}

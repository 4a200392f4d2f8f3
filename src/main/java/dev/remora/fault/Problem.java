package dev.remora.fault;

import java.util.Optional;

/// One thing that is wrong: where, what, and what to do about it. Never holds a secret.
public record Problem(Optional<Where> where, String message, Optional<String> advice) {
    public static Problem of(String message) {
        return new Problem(Optional.empty(), message, Optional.empty());
    }

    public static Problem at(Where where, String message) {
        return new Problem(Optional.of(where), message, Optional.empty());
    }

    public static Problem at(Where where, String message, String advice) {
        return new Problem(Optional.of(where), message, Optional.of(advice));
    }

    /// `plugin.yaml:14:3: spec.generate.command is empty; name the program to run`
    @Override
    public String toString() {
        return where.map(w -> w + ": ").orElse("")
                + message
                + advice.map(a -> "; " + a).orElse("");
    }
}

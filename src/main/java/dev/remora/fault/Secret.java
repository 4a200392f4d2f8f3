package dev.remora.fault;

import java.util.Objects;

/// A value that must not be shown: prints as a mask, compares by value.
public final class Secret {
    public static final String MASK = "******";

    private final String value;

    public Secret(String value) {
        this.value = Objects.requireNonNull(value);
    }

    /// The value itself, for the one place that hands it over.
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && secret.value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return MASK;
    }
}

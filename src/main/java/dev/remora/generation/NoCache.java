package dev.remora.generation;

import dev.remora.posix.EnvironmentVariable;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The switch of one Application: `REMORA_NO_CACHE=1` among its plugin's variables, which Argo CD sends as
/// `ARGOCD_ENV_REMORA_NO_CACHE`. Of several the last counts.
public final class NoCache {
    static final Set<String> NAMES = Set.of("REMORA_NO_CACHE", "ARGOCD_ENV_REMORA_NO_CACHE");

    private static final Set<String> OFF = Set.of("", "0", "false");

    private NoCache() {}

    /// The variable that asks for it, when one does.
    public static Optional<String> asked(List<EnvironmentVariable> environment) {
        return environment.stream()
                .filter(variable -> NAMES.contains(variable.name().toString()))
                .reduce((first, last) -> last)
                .filter(variable -> !OFF.contains(variable.value().toString()))
                .map(variable -> variable.name().toString());
    }
}

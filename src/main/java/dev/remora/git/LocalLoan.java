package dev.remora.git;

import dev.remora.posix.EnvironmentVariable;
import java.util.List;

/// A login that is lent to commands on this machine until it is closed.
///
/// @param variables for the commands' environment, behind all others; none is a secret
public record LocalLoan(List<EnvironmentVariable> variables) implements AutoCloseable {
    static final LocalLoan NOTHING = new LocalLoan(List.of());

    public LocalLoan {
        variables = List.copyOf(variables);
    }

    @Override
    public void close() {}
}

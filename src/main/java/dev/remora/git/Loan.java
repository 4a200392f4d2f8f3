package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.telemetry.Mask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A login that a plugin's commands may use until it is closed. Closing it ends every way to it.
public final class Loan implements AutoCloseable {
    private final List<EnvironmentVariable> variables;
    private final List<AutoCloseable> open;
    private final Mask mask;

    Loan(List<EnvironmentVariable> variables, List<AutoCloseable> open, Mask mask) {
        this.variables = List.copyOf(variables);
        this.open = List.copyOf(open);
        this.mask = mask;
    }

    public static Loan ofNothing() {
        return new Loan(List.of(), List.of(), Mask.NONE);
    }

    /// For the commands' environment, behind all others.
    public List<EnvironmentVariable> variables() {
        return variables;
    }

    /// Does `work`; what it fails with does not show the login.
    public <T> T hiding(Supplier<T> work) {
        try {
            return work.get();
        } catch (Fault fault) {
            throw fault.reworded(mask::apply);
        }
    }

    @Override
    public void close() {
        List<RuntimeException> failed = new ArrayList<>();
        for (AutoCloseable each : open.reversed()) {
            try {
                each.close();
            } catch (RuntimeException e) {
                failed.add(e);
            } catch (Exception e) {
                failed.add(new IllegalStateException(e));
            }
        }
        if (!failed.isEmpty()) {
            throw failed.getFirst();
        }
    }
}

package dev.remora.process;

import dev.remora.posix.EnvironmentVariable;
import dev.remora.sandbox.Fence;
import java.util.List;

/// How the commands of one render are held: behind which fence, and with which variables that make them fit it.
///
/// @param variables win over the server's and the request's: `HOME` and `TMPDIR` behind a strict fence
public record Confinement(Fence fence, List<EnvironmentVariable> variables) {
    /// None, for our own commands.
    public static final Confinement NONE = new Confinement(Fence.OPEN, List.of());

    public static final Confinement COMPATIBLE = new Confinement(Fence.COMPATIBLE, List.of());

    public Confinement {
        variables = List.copyOf(variables);
    }
}

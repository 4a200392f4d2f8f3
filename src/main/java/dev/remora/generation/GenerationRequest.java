package dev.remora.generation;

import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.Confinement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One folder to be rendered by one plugin.
///
/// @param plugin the definition as it was when the call began; a reload does not change it
/// @param application the application's folder, absolute
/// @param environment what the request brings, in order
/// @param confinement how its commands are held
/// @param warm a worker that may run `generate` in the command's stead
public record GenerationRequest(
        PluginDefinition plugin,
        Bytes application,
        List<EnvironmentVariable> environment,
        Confinement confinement,
        CallTime time,
        Cancellation cancellation,
        Optional<WarmRender> warm) {
    public GenerationRequest {
        environment = List.copyOf(environment);
    }

    /// By commands alone.
    public GenerationRequest(
            PluginDefinition plugin,
            Bytes application,
            List<EnvironmentVariable> environment,
            Confinement confinement,
            CallTime time,
            Cancellation cancellation) {
        this(plugin, application, environment, confinement, time, cancellation, Optional.empty());
    }

    public GenerationRequest by(Optional<WarmRender> worker) {
        return new GenerationRequest(plugin, application, environment, confinement, time, cancellation, worker);
    }

    /// The complete environment of the plugin's commands: what its definition lets through of `own`, then the
    /// request's, then the confinement's.
    public List<Bytes> commandEnvironment(CommandEnvironment own) {
        List<EnvironmentVariable> all = new ArrayList<>(environment);
        all.addAll(confinement.variables());
        return own.with(
                all,
                name -> plugin.settings()
                        .environment()
                        .map(filter -> filter.allows(name))
                        .orElse(true));
    }
}

package dev.remora.plugin;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import java.util.List;
import java.util.Optional;

/// One `plugin.yaml`, read and checked: what the plugin is called and what it runs. See `docs/spec/plugin-yaml.md`.
///
/// @param file the file as its reader was told
/// @param init runs before `generate` when it is defined
/// @param discover every stated rule in the order of evaluation; only the first counts
/// @param dynamicParameters prints announcements when it is defined
/// @param notes accepted, and worth a word: keys that nothing reads
/// @param digest SHA-256 of the file's bytes, in lower-case hex
public record PluginDefinition(
        String file,
        String name,
        String version,
        CommandSpec init,
        CommandSpec generate,
        List<DiscoverRule> discover,
        List<ParameterAnnouncement> staticParameters,
        CommandSpec dynamicParameters,
        boolean preserveFileMode,
        boolean provideGitCreds,
        RemoraSettings settings,
        List<Problem> notes,
        String digest) {
    public PluginDefinition {
        discover = List.copyOf(discover);
        staticParameters = List.copyOf(staticParameters);
        notes = List.copyOf(notes);
    }

    /// The name that an Application uses: with the version behind it when there is one.
    public String registeredName() {
        return version.isEmpty() ? name : name + "-" + version;
    }

    /// The file name of its socket.
    public String socketName() {
        return registeredName() + ".sock";
    }

    /// The rule that decides; none: the plugin is used by name only.
    public Optional<DiscoverRule> discoverRule() {
        return discover.stream().findFirst();
    }

    public boolean discoveryConfigured() {
        return !discover.isEmpty();
    }

    /// Refuses an AppProject that the definition is not for.
    ///
    /// @throws Fault PROJECT_REFUSED where the definition is not for that AppProject
    public void requireProject(String project) {
        if (!settings.projects().allow(project)) {
            throw new Fault(
                    FaultCode.PROJECT_REFUSED,
                    "AppProject " + project + " may not use plugin " + registeredName()
                            + "; add it to remora.projects in plugin.yaml, or use another plugin");
        }
    }
}

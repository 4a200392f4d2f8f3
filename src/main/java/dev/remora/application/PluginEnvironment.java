package dev.remora.application;

import static java.util.stream.Collectors.joining;

import dev.remora.posix.EnvironmentVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The variables that a plugin's commands get for one Application, in Argo CD's order: build environment,
/// `ARGOCD_ENV_*`, `ARGOCD_APP_PARAMETERS`, `PARAM_*` (docs/spec/environment.md). The last of a name wins.
///
/// @param build what is told about every Application
/// @param plugin the source's plugin block; without one nothing beyond the build environment is sent
public record PluginEnvironment(BuildEnvironment build, Optional<PluginBlock> plugin) {

    /// `spec.source.plugin`: variables as written, and parameters (empty is the same as none on Argo CD's wire).
    public record PluginBlock(List<Map.Entry<String, String>> env, List<PluginParameter> parameters) {
        public PluginBlock {
            env = List.copyOf(env);
            parameters = List.copyOf(parameters);
        }
    }

    /// One variable and where it comes from, for people: `build`, `plugin.env`, `parameter a-b`.
    public record Origin(EnvironmentVariable variable, String from) {}

    public List<EnvironmentVariable> variables() {
        return origins().stream().map(Origin::variable).toList();
    }

    public List<Origin> origins() {
        List<Origin> all = new ArrayList<>();
        build.variables().forEach(variable -> all.add(new Origin(variable, "build environment")));
        plugin.ifPresent(block -> addPlugin(block, all));
        return all;
    }

    private void addPlugin(PluginBlock block, List<Origin> all) {
        block.env()
                .forEach(entry -> all.add(new Origin(
                        EnvironmentVariable.of("ARGOCD_ENV_" + entry.getKey(), build.substitute(entry.getValue())),
                        "plugin.env " + entry.getKey())));
        all.add(new Origin(EnvironmentVariable.of("ARGOCD_APP_PARAMETERS", json(block.parameters())), "parameters"));
        for (PluginParameter parameter : block.parameters()) {
            parameter
                    .variables()
                    .forEach((name, value) ->
                            all.add(new Origin(EnvironmentVariable.of(name, value), "parameter " + parameter.name())));
        }
    }

    private static String json(List<PluginParameter> parameters) {
        if (parameters.isEmpty()) {
            return "null";
        }
        return parameters.stream().map(PluginParameter::json).collect(joining(",", "[", "]"));
    }
}

package dev.remora.application;

import static java.util.stream.Collectors.joining;

import dev.remora.posix.EnvironmentVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The variables that a plugin's commands get for one Application, in Argo CD's order: build environment,
/// `ARGOCD_ENV_*`, `ARGOCD_APP_PARAMETERS`, `PARAM_*` (docs/spec/environment.md). The last of a name wins.
///
/// @param build what is told about every Application
/// @param plugin the source's plugin block; without one nothing beyond the build environment is sent
public record PluginEnvironment(BuildEnvironment build, Optional<PluginBlock> plugin) {
    private static final String BUILD = "build environment";
    private static final Set<String> ANNOUNCED = Set.of(
            "ARGOCD_APP_NAME",
            "ARGOCD_APP_SOURCE_REPO_URL",
            "ARGOCD_APP_SOURCE_PATH",
            "ARGOCD_APP_SOURCE_TARGET_REVISION");

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
        build.variables().forEach(variable -> all.add(new Origin(variable, BUILD)));
        plugin.ifPresent(block -> addPlugin(block, all));
        return all;
    }

    /// What a plugin is told that is asked for its parameters: of the build environment only the names and places that
    /// do
    /// not depend on a revision or a cluster, which are also all that its values can stand for.
    public List<EnvironmentVariable> announcementVariables() {
        BuildEnvironment less = new BuildEnvironment(
                build.appName(), "", "", "", build.repoUrl(), build.path(), build.targetRevision(), "", List.of());
        return new PluginEnvironment(less, plugin)
                .origins().stream()
                        .filter(origin -> !origin.from().equals(BUILD)
                                || ANNOUNCED.contains(origin.variable().name().toString()))
                        .map(Origin::variable)
                        .toList();
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

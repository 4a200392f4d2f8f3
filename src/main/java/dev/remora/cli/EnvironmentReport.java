package dev.remora.cli;

import dev.remora.application.PluginEnvironment.Origin;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Secret;
import dev.remora.plugin.RemoraSettings.EnvironmentFilter;
import dev.remora.telemetry.Mask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// `explain --env`: every variable that the request brings, with where it comes from; names that hide one another; and
/// how many of the server's own variables the commands see. Values of variables named like secrets are masked.
final class EnvironmentReport {
    private final List<Origin> origins;
    private final Optional<EnvironmentFilter> filter;
    private final Map<String, String> own;
    private final Mask mask;
    private final boolean served;

    EnvironmentReport(FolderWork work, PluginReference plugin, Console console) {
        this.origins = work.options().environment().origins();
        this.filter = plugin instanceof PluginReference.Definition definition
                ? definition.plugin().settings().environment()
                : Optional.empty();
        this.served = plugin instanceof PluginReference.Socket;
        this.own = served ? new TreeMap<>() : new TreeMap<>(console.environment());
        this.mask = work.mask();
    }

    /// What one source of an Application is told.
    ///
    /// @param filter which of this process's variables the commands see; empty: all
    /// @param served whether a plugin server runs them, whose own variables nobody here knows
    EnvironmentReport(
            List<Origin> origins, Optional<EnvironmentFilter> filter, boolean served, Mask mask, Console console) {
        this.origins = List.copyOf(origins);
        this.filter = filter;
        this.served = served;
        this.own = served ? new TreeMap<>() : new TreeMap<>(console.environment());
        this.mask = mask;
    }

    void into(Tree tree, Map<String, Object> json) {
        Tree branch = tree.branch("environment of the request, the last of a name wins");
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < origins.size(); i++) {
            Origin origin = origins.get(i);
            String name = origin.variable().name().toString();
            String value = shown(name, origin.variable().value().toString());
            Optional<Origin> hidden = hiddenBy(i);
            branch.branch(name + "=" + value + "  ← " + origin.from()
                    + hidden.map(other -> "  (hidden by " + other.from() + ")").orElse("")
                    + (own.containsKey(name) ? "  (replaces the server's own)" : ""));
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", name);
            one.put("value", value);
            one.put("origin", origin.from());
            hidden.ifPresent(other -> one.put("hiddenBy", other.from()));
            all.add(one);
        }
        json.put("env", all);
        own(tree, json);
    }

    private void own(Tree tree, Map<String, Object> json) {
        if (served) {
            tree.branch("and the server's own variables, which only the server knows");
            return;
        }
        List<String> passed = own.keySet().stream()
                .filter(name -> filter.map(each -> each.allows(name)).orElse(true))
                .toList();
        String how = filter.isPresent()
                ? passed.size() + " of " + own.size() + " variables of this process, by remora.environment.allow"
                : "all " + own.size() + " variables of this process; remora.environment.allow would limit them";
        Tree branch = tree.branch(how);
        if (filter.isPresent()) {
            passed.forEach(branch::branch);
        }
        json.put("own", passed);
    }

    /// @throws Fault for `--strict`, when a name is there twice
    void refuseClashes() {
        List<Problem> clashes = clashes().stream()
                .map(clash -> Problem.of(clash + "; rename one of them"))
                .toList();
        if (!clashes.isEmpty()) {
            throw new Fault(FaultCode.ENVIRONMENT_CLASH, clashes);
        }
    }

    /// Names that are there twice, a sentence each.
    List<String> clashes() {
        List<String> clashes = new ArrayList<>();
        for (int i = 0; i < origins.size(); i++) {
            Origin origin = origins.get(i);
            hiddenBy(i)
                    .ifPresent(other -> clashes.add(
                            origin.variable().name() + " of " + origin.from() + " is hidden by " + other.from()));
        }
        return clashes;
    }

    /// One variable as people may see it.
    String shown(Origin origin) {
        return shown(
                origin.variable().name().toString(), origin.variable().value().toString());
    }

    private Optional<Origin> hiddenBy(int index) {
        for (int i = origins.size() - 1; i > index; i--) {
            if (origins.get(i)
                    .variable()
                    .name()
                    .equals(origins.get(index).variable().name())) {
                return Optional.of(origins.get(i));
            }
        }
        return Optional.empty();
    }

    private String shown(String name, String value) {
        return Mask.isSecretName(name) && !value.isEmpty() ? Secret.MASK : mask.apply(value);
    }
}

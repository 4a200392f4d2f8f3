package dev.remora.generation;

import dev.remora.cache.Fingerprint;
import dev.remora.cache.ReuseReport;
import dev.remora.glob.FilePathGlob;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.ToolIdentity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Everything that an answer depends on but the inputs: while these and the inputs are the same, the answer is. Values
/// of variables are kept as digests, since they may be secrets.
///
/// @param who the plugin and the Application, for telling what changed since its last call
/// @param place the AppProject and the application's path
/// @param plugin the definition's digest
/// @param tools see [dev.remora.process.ToolIdentity]
/// @param variables name → digest of the value, of all that the commands see and the definition does not ignore
public record ReuseKey(String who, String place, String plugin, String tools, SortedMap<String, String> variables) {
    /// Changed names that a line tells.
    private static final int MOST_NAMES = 5;

    public ReuseKey {
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
    }

    /// The key of one question: with the environment that commands would get, and the tools that they would find.
    ///
    /// @param own this process's environment
    public static ReuseKey of(ReuseQuestion question, CommandEnvironment own, ToolIdentity tools) {
        PluginDefinition plugin = question.plugin();
        List<Bytes> environment = own.with(
                question.environment(),
                name -> plugin.settings()
                        .environment()
                        .map(filter -> filter.allows(name))
                        .orElse(true));
        List<List<String>> commands = new ArrayList<>();
        commands.add(plugin.init().argv());
        commands.add(plugin.generate().argv());
        plugin.settings().worker().ifPresent(worker -> commands.add(worker.command()));
        return of(plugin, question.who(), question.project(), question.path(), tools.of(commands), environment);
    }

    /// @param environment `NAME=VALUE` as the commands get it
    static ReuseKey of(
            PluginDefinition plugin, String who, String project, Bytes path, String tools, List<Bytes> environment) {
        List<String> ignored = plugin.settings().cache().ignore();
        SortedMap<String, String> variables = new TreeMap<>();
        for (Bytes assignment : environment) {
            int equals = assignment.indexOf((byte) '=', 1);
            Bytes name = equals < 0 ? assignment : assignment.slice(0, equals);
            String text = name.toString();
            boolean counts = !NoCache.NAMES.contains(text)
                    && ignored.stream().noneMatch(pattern -> FilePathGlob.match(pattern, text));
            if (counts) {
                variables.put(text, new Fingerprint().add(assignment).hex());
            }
        }
        String place = new Fingerprint().add(project).add(path).hex();
        return new ReuseKey(who, place, plugin.digest(), tools, variables);
    }

    String fingerprint(String inputs) {
        Fingerprint all = new Fingerprint().add(inputs).add(place).add(plugin).add(tools);
        variables.forEach((name, value) -> all.add(name).add(value));
        return all.hex();
    }

    /// Why an answer made for `before` is not one for this: what changed first in the order of an operator's
    /// interest.
    static ReuseReport difference(Made before, Made now, boolean expired) {
        ReuseKey old = before.key();
        ReuseKey key = now.key();
        if (!old.plugin().equals(key.plugin())) {
            return ReuseReport.miss("plugin", "the definition changed");
        }
        if (!old.tools().equals(key.tools())) {
            return ReuseReport.miss("tools", "a tool changed");
        }
        if (!old.place().equals(key.place())) {
            return ReuseReport.miss("place", "another path or AppProject");
        }
        List<String> names = changed(old.variables(), key.variables());
        boolean inputs = !before.inputs().equals(now.inputs());
        if (!names.isEmpty()) {
            String more = inputs ? "; and the inputs changed" : "";
            return ReuseReport.miss(inputs ? "inputs" : "environment", shown(names) + " changed" + more);
        }
        if (inputs) {
            return ReuseReport.miss("inputs", "the inputs changed");
        }
        return expired
                ? ReuseReport.miss("expired", "older than remora.cache.maxAge")
                : ReuseReport.miss("not-kept", "the last answer was not kept, or had to make room");
    }

    private static List<String> changed(Map<String, String> before, Map<String, String> now) {
        List<String> names = new ArrayList<>();
        now.forEach((name, value) -> {
            if (!value.equals(before.get(name))) {
                names.add(name);
            }
        });
        before.keySet().stream().filter(name -> !now.containsKey(name)).forEach(names::add);
        return names;
    }

    private static String shown(List<String> names) {
        String some = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
        int more = names.size() - MOST_NAMES;
        return more > 0 ? some + " and " + more + " more variables" : some;
    }

    /// What the last answer of an Application was made of.
    record Made(ReuseKey key, String inputs) {}
}

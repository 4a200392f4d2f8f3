package dev.remora.render;

import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.PluginDefinition;
import dev.remora.render.Asked.Answer;
import dev.remora.telemetry.Phases;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Asks plugins about one source, nobody twice the same. Not for several threads.
final class PluginQuestions {
    private final SourceTypes.Hosts hosts;
    private final Phases phases;
    private final Map<KnownPlugin, Asking> known = new HashMap<>();

    private record Asking(RenderRequest request, Answer answer) {}

    PluginQuestions(SourceTypes.Hosts hosts, Phases phases) {
        this.hosts = hosts;
        this.phases = phases;
    }

    /// What the plugin says; nothing is started or sent for a plugin that the project may not use, or without a
    /// rule.
    Answer ask(KnownPlugin plugin, RenderRequest request) {
        Asking before = known.get(plugin);
        if (before != null && same(plugin, before.request(), request)) {
            return before.answer();
        }
        Answer answer = withoutAsking(plugin, request).orElseGet(() -> put(plugin, request));
        known.put(plugin, new Asking(request, answer));
        return answer;
    }

    /// A pattern does not see the request's variables.
    private static boolean same(KnownPlugin plugin, RenderRequest before, RenderRequest now) {
        return isCheap(plugin) || before.environment().equals(now.environment());
    }

    /// Whether asking costs neither a command nor a packed folder.
    static boolean isCheap(KnownPlugin plugin) {
        return plugin instanceof KnownPlugin.Definition(PluginDefinition definition, String _)
                && definition
                        .discoverRule()
                        .filter(rule -> rule instanceof DiscoverRule.FindCommand)
                        .isEmpty();
    }

    private static Optional<Answer> withoutAsking(KnownPlugin plugin, RenderRequest request) {
        if (!(plugin instanceof KnownPlugin.Definition(PluginDefinition definition, String _))) {
            return Optional.empty();
        }
        if (!definition.settings().projects().allow(request.project())) {
            return Optional.of(new Answer.NotAsked(
                    "AppProject " + request.project() + " may not use it (remora.projects), so it is not asked"));
        }
        return definition.discoveryConfigured()
                ? Optional.empty()
                : Optional.of(new Answer.Said(new Verdict.Unasked("no discover rule: only by name")));
    }

    private Answer put(KnownPlugin plugin, RenderRequest request) {
        try (PluginHost host = hosts.open(plugin)) {
            return new Answer.Said(host.match(request, phases));
        } catch (Fault fault) {
            return new Answer.Failed(fault);
        }
    }
}

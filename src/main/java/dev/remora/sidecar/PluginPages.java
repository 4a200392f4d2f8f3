package dev.remora.sidecar;

import dev.remora.plugin.PluginDefinition;
import dev.remora.sandbox.KernelSupport;
import dev.remora.telemetry.HttpEndpoints.Page;
import dev.remora.telemetry.JsonLine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// What the server tells over HTTP.
final class PluginPages {
    private final ServerParts parts;
    private final ServedPlugins plugins;
    private final BooleanSupplier stopping;

    PluginPages(ServerParts parts, ServedPlugins plugins, BooleanSupplier stopping) {
        this.parts = parts;
        this.plugins = plugins;
        this.stopping = stopping;
    }

    Map<String, Supplier<Page>> all() {
        return Map.of(
                "/healthz", () -> Page.plain(200, "ok\n"),
                "/readyz", this::ready,
                "/metrics", () -> Page.metrics(parts.meters().text()),
                "/plugins", () -> Page.json(list()));
    }

    /// Ready while calls are taken, also with a definition whose last change was bad: the text says which.
    private Page ready() {
        if (stopping.getAsBoolean()) {
            return Page.plain(503, "stopping, " + parts.running().count() + " call(s) left\n");
        }
        List<ServedPlugins.State> states = plugins.states();
        if (states.isEmpty()) {
            return Page.plain(503, "starting\n");
        }
        StringBuilder text = new StringBuilder();
        for (ServedPlugins.State state : states) {
            text.append(state.name()).append(": ");
            text.append(state.problem()
                    .map(problem ->
                            (state.plugin().isPresent() ? "kept the old definition: " : "not served: ") + problem)
                    .orElse("ok"));
            text.append('\n');
        }
        KernelSupport kernel = parts.runner().kernel();
        if (!kernel.missing().isEmpty()) {
            text.append("sandbox: ").append(kernel.describe()).append('\n');
        }
        return Page.plain(200, text.toString());
    }

    private String list() {
        StringBuilder json = new StringBuilder("{\"schema\":\"remora/plugins/v1\",\"plugins\":[");
        String comma = "";
        for (ServedPlugins.State state : plugins.states()) {
            json.append(comma).append(JsonLine.of(one(state)));
            comma = ",";
        }
        return json.append("]}\n").toString();
    }

    private Map<String, Object> one(ServedPlugins.State state) {
        Map<String, Object> facts = new TreeMap<>();
        facts.put("file", state.file().toString());
        facts.put("reload", state.problem().isEmpty() ? "ok" : "kept");
        state.problem().ifPresent(problem -> facts.put("problem", problem));
        state.plugin().ifPresent(plugin -> {
            PluginDefinition definition = plugin.definition();
            facts.put("name", definition.registeredName());
            facts.put("socket", plugin.socket().toString());
            facts.put("sandbox", parts.fences().isStrict(definition) ? "strict" : "compatible");
            if (!parts.runner().kernel().lacking().isEmpty()) {
                facts.put(
                        "sandbox_lacks",
                        String.join(",", parts.runner().kernel().lacking()));
            }
            facts.put("digest", definition.digest());
            facts.put(
                    "discovery",
                    definition.discoverRule().map(rule -> rule.key()).orElse(""));
            facts.put("running", plugin.queue().running());
            facts.put("queued", plugin.queue().waiting());
        });
        return facts;
    }
}

package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.ManifestPrinter;
import dev.remora.render.PluginHost;
import dev.remora.telemetry.Phases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `render --compare-hosts`: asks two plugins about one folder and shows where their answers differ, byte for byte.
final class HostComparison {
    private static final String SCHEMA = "remora/compare-hosts/v1";

    /// What a host answered: documents, or the fault that it ended with.
    private record Answer(String host, List<ManifestDocument> documents, Optional<Fault> fault) {}

    /// Documents of one place in both answers that are not the same.
    private record Difference(String what, String left, String right) {}

    private HostComparison() {}

    static int run(FolderWork work, SettingValues settings, Console console) {
        List<String> plugins = work.options().plugins();
        if (plugins.size() != 2) {
            throw new Fault(
                    FaultCode.USAGE,
                    "--compare-hosts needs --plugin twice; it is given "
                            + (plugins.size() == 1 ? "once" : plugins.size() + " times"));
        }
        Answer left = ask(plugins.getFirst(), work, settings, console);
        Answer right = ask(plugins.getLast(), work, settings, console);
        List<Difference> differences = differences(left, right);
        if (settings.text(FolderSettings.RENDER_OUTPUT).equals("json")) {
            console.out().print(JsonDocument.write(json(left, right, differences)));
        } else {
            console.out().print(text(left, right, differences));
        }
        return differences.isEmpty() ? ExitCode.DONE : ExitCode.FOUND;
    }

    private static Answer ask(String plugin, FolderWork work, SettingValues settings, Console console) {
        try (PluginHost host = work.host(PluginReference.of(plugin, console.directory()), Optional.empty())) {
            String label = work.options().name() + "  " + plugin;
            List<ManifestDocument> documents =
                    Progress.during(console, settings, label, () -> host.generate(work.request(), new Phases()));
            return new Answer(plugin, documents, Optional.empty());
        } catch (Fault fault) {
            if (fault.code() == FaultCode.HOST_UNREACHABLE || fault.code() == FaultCode.USAGE) {
                throw fault;
            }
            return new Answer(plugin, List.of(), Optional.of(fault));
        }
    }

    private static List<Difference> differences(Answer left, Answer right) {
        List<Difference> all = new ArrayList<>();
        String leftFault = left.fault().map(Fault::words).orElse("");
        String rightFault = right.fault().map(Fault::words).orElse("");
        if (!leftFault.equals(rightFault)) {
            all.add(new Difference("error", orNone(leftFault), orNone(rightFault)));
        }
        int most = Math.max(left.documents().size(), right.documents().size());
        for (int i = 0; i < most; i++) {
            Optional<ManifestDocument> ours = at(left, i);
            Optional<ManifestDocument> theirs = at(right, i);
            if (ours.isEmpty()
                    || theirs.isEmpty()
                    || !Arrays.equals(ours.get().json(), theirs.get().json())) {
                all.add(new Difference("document " + (i + 1), shown(ours), shown(theirs)));
            }
        }
        return all;
    }

    private static Optional<ManifestDocument> at(Answer answer, int index) {
        return index < answer.documents().size()
                ? Optional.of(answer.documents().get(index))
                : Optional.empty();
    }

    private static String shown(Optional<ManifestDocument> document) {
        return document.map(one -> ManifestPrinter.yaml(List.of(one), true)).orElse("");
    }

    private static String orNone(String text) {
        return text.isEmpty() ? "(none)" : text;
    }

    private static String text(Answer left, Answer right, List<Difference> differences) {
        if (differences.isEmpty()) {
            int objects = left.documents().size();
            return "no difference: " + objects + (objects == 1 ? " object" : " objects")
                    + left.fault()
                            .map(fault -> ", one error: " + Fault.words(fault))
                            .orElse("") + "\n";
        }
        StringBuilder text = new StringBuilder("--- ")
                .append(left.host())
                .append("\n+++ ")
                .append(right.host())
                .append('\n');
        for (Difference difference : differences) {
            text.append("@@ ").append(difference.what()).append(" @@\n");
            text.append(LineDiff.of(difference.left(), difference.right()));
        }
        return text.append(differences.size())
                .append(differences.size() == 1 ? " difference\n" : " differences\n")
                .toString();
    }

    private static Map<String, Object> json(Answer left, Answer right, List<Difference> differences) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", SCHEMA);
        json.put("left", host(left));
        json.put("right", host(right));
        json.put(
                "differences",
                differences.stream()
                        .map(difference -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("what", difference.what());
                            one.put("left", difference.left());
                            one.put("right", difference.right());
                            return one;
                        })
                        .toList());
        return json;
    }

    private static Map<String, Object> host(Answer answer) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("plugin", answer.host());
        json.put("objects", answer.documents().size());
        answer.fault().ifPresent(fault -> json.put("error", Fault.words(fault)));
        return json;
    }
}

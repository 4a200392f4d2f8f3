package dev.remora.generation;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.manifest.ManifestSplitter;
import dev.remora.plugin.AnnouncementFields;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import dev.remora.yaml.GoFields;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Announces a plugin's parameters: what its dynamic command prints for the folder, then the static ones. Nothing is
/// merged or removed, as in Argo CD; of two with one name its page shows the first.
public final class ParameterAnnouncer {
    private static final String DYNAMIC = "spec.parameters.dynamic.command";

    /// So many bytes of a wrong output are described; only their shape, since they may hold anything.
    private static final int SHOWN = 16;

    private final CommandRunner runner;
    private final CommandEnvironment own;
    private final long answerBytes;

    public ParameterAnnouncer(CommandRunner runner, CommandEnvironment own, long answerBytes) {
        this.runner = runner;
        this.own = own;
        this.answerBytes = answerBytes;
    }

    /// The announcements; nothing runs when the definition has only static ones.
    public List<ParameterAnnouncement> announce(GenerationRequest request, Phases phases) {
        List<ParameterAnnouncement> all = new ArrayList<>();
        if (request.plugin().dynamicParameters().defined()) {
            all.addAll(dynamic(request, phases));
        }
        all.addAll(request.plugin().staticParameters());
        return all;
    }

    private List<ParameterAnnouncement> dynamic(GenerationRequest request, Phases phases) {
        byte[] printed = ManifestSplitter.trimmed(run(request, phases));
        try {
            return read(printed);
        } catch (Fault fault) {
            throw fault.in("get parameters announcement error: error unmarshaling dynamic parameter output into"
                    + " ParametersAnnouncementResponse: ");
        }
    }

    private byte[] run(GenerationRequest request, Phases phases) {
        try (PluginCommands commands = new PluginCommands(runner, own, answerBytes, request, phases)) {
            return commands.runLast(Phase.PARAMETERS, request.plugin().dynamicParameters())
                    .stdout();
        } catch (Fault fault) {
            throw fault.in("get parameters announcement error: error executing dynamic parameter output command: ");
        }
    }

    private static List<ParameterAnnouncement> read(byte[] printed) {
        try {
            return switch (new JsonReader(DYNAMIC, FaultCode.PARAMETERS_INVALID).read(printed)) {
                case YamlNode.Null _ -> List.of();
                case YamlNode.Sequence list -> announcements(list.items());
                case YamlNode other ->
                    throw new Fault(
                            FaultCode.PARAMETERS_INVALID,
                            "json: cannot unmarshal " + other.goKind()
                                    + " into a list of announcements; print a JSON array, as in [{\"name\": \"x\"}]");
            };
        } catch (Fault fault) {
            String problems = fault.problems().stream()
                    .map(ParameterAnnouncer::placeBehind)
                    .collect(Collectors.joining("\n"));
            throw new Fault(FaultCode.PARAMETERS_INVALID, problems + shape(printed), fault);
        }
    }

    /// Go's words first, since scripts look for them; then where in the output.
    private static String placeBehind(Problem problem) {
        String place = problem.where()
                .map(at -> " (line " + at.line() + ", column " + at.column() + " of the output)")
                .orElse("");
        return problem.message() + place + problem.advice().map(a -> "; " + a).orElse("");
    }

    private static List<ParameterAnnouncement> announcements(List<YamlNode> items) {
        List<Problem> problems = new ArrayList<>();
        List<ParameterAnnouncement> all = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof YamlNode.Null) {
                problems.add(Problem.of("entry " + i + " is null; print an object with a name"));
            } else {
                all.add(AnnouncementFields.read(GoFields.of(items.get(i), "[" + i + "]", DYNAMIC, problems)));
            }
        }
        if (!problems.isEmpty()) {
            throw new Fault(FaultCode.PARAMETERS_INVALID, problems);
        }
        return all;
    }

    /// How the output begins, letters and digits masked: ` (it begins: "xxxxx: {xx")`.
    private static String shape(byte[] printed) {
        String head = new String(printed, 0, Math.min(printed.length, SHOWN), StandardCharsets.UTF_8);
        String masked = head.replaceAll("[\\p{L}\\p{N}\ufffd]", "x").replaceAll("\\p{Cntrl}", " ");
        return String.format(Locale.ROOT, " (%d bytes; it begins, letters masked: \"%s\")", printed.length, masked);
    }
}

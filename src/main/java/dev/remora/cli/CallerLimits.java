package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The time that Argo CD's parts give the repo-server for an answer, as its ConfigMap `argocd-cmd-params-cm` says. What
/// it
/// does not say is 60 seconds; 0 is no limit.
///
/// @param file as people call it
/// @param set by key, with their places
record CallerLimits(String file, Map<String, Set> set) {
    static final Duration DEFAULT = Duration.ofSeconds(60);

    private static final String CONTROLLER = "controller.repo.server.timeout.seconds";
    /// Who else calls: the key, and what for.
    private static final Map<String, String> OTHERS = Map.of(
            "server.repo.server.timeout.seconds", "the API server, for the UI's parameters and previews",
            "applicationsetcontroller.repo.server.timeout.seconds", "the ApplicationSet controller");

    private static final int MOST_BYTES = 1 << 20;

    /// One value and where it stands.
    record Set(Duration time, Where where) {}

    static CallerLimits read(Path path, String shown) {
        byte[] text;
        try (InputStream in = Files.newInputStream(path)) {
            text = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "--limits " + shown + " cannot be read: " + Fault.words(e), e);
        }
        if (text.length > MOST_BYTES) {
            throw new Fault(FaultCode.USAGE, "--limits " + shown + " is larger than 1 MiB");
        }
        YamlNode root = new YamlReader(shown, FaultCode.USAGE).read(text);
        if (!(root instanceof YamlNode.Mapping config)
                || !config.text("kind").orElse("").equals("ConfigMap")) {
            throw new Fault(FaultCode.USAGE, "--limits " + shown + " is no ConfigMap; give argocd-cmd-params-cm");
        }
        Map<String, Set> set = new LinkedHashMap<>();
        if (config.get("data").orElse(config) instanceof YamlNode.Mapping data) {
            for (YamlNode.Entry entry : data.entries()) {
                if (entry.key().equals(CONTROLLER) || OTHERS.containsKey(entry.key())) {
                    set.put(entry.key(), seconds(entry, shown));
                }
            }
        }
        return new CallerLimits(shown, set);
    }

    private static Set seconds(YamlNode.Entry entry, String file) {
        Where where = new Where(file, entry.line(), entry.column());
        String text = switch (entry.value()) {
            case YamlNode.Text value -> value.value();
            case YamlNode.Number number -> number.json();
            case YamlNode.Bool _, YamlNode.Null _, YamlNode.Mapping _, YamlNode.Sequence _ -> "";
        };
        if (!text.matches("[0-9]{1,9}")) {
            throw new Fault(FaultCode.USAGE, Problem.at(where, entry.key() + " is no number of seconds"));
        }
        return new Set(Duration.ofSeconds(Long.parseLong(text)), where);
    }

    /// What the controller gives each try.
    Duration controller() {
        return Optional.ofNullable(set.get(CONTROLLER)).map(Set::time).orElse(DEFAULT);
    }

    String controllerPlace() {
        return Optional.ofNullable(set.get(CONTROLLER))
                .map(one -> one.where() + " " + CONTROLLER)
                .orElse(file + " does not set " + CONTROLLER);
    }

    /// What holds for others than the controller, a sentence each.
    List<String> others() {
        List<String> sentences = new ArrayList<>();
        OTHERS.forEach((key, who) -> sentences.add(who + ": "
                + Optional.ofNullable(set.get(key))
                        .map(Set::time)
                        .orElse(DEFAULT)
                        .toSeconds() + "s"
                + (set.containsKey(key) ? " (" + set.get(key).where() + ")" : " (not set)")));
        sentences.sort(null);
        return sentences;
    }
}

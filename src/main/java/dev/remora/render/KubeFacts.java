package dev.remora.render;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is known of the cluster without asking it.
///
/// @param version as the cluster reports it, or empty
/// @param apiVersions such as `apps/v1` and `apps/v1/Deployment`, in any order
public record KubeFacts(String version, List<String> apiVersions) {
    public static final KubeFacts UNKNOWN = new KubeFacts("", List.of());

    private static final Pattern SERVER =
            Pattern.compile("(?m)^Server Version: (?:.*GitVersion:\"([^\"]+)\".*|(\\S+))\\s*$");
    private static final Pattern VERSION = Pattern.compile("v?\\d+\\.\\d+\\S*");
    private static final Pattern API =
            Pattern.compile("(?:[a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?v\\d+(?:(?:alpha|beta)\\d+)?");
    private static final Pattern RESOURCES =
            Pattern.compile("NAME\\s+SHORTNAMES\\s+APIVERSION\\s+NAMESPACED\\s+KIND.*");

    public KubeFacts {
        apiVersions = List.copyOf(apiVersions);
    }

    /// Reads saved output of `kubectl version` (as text, JSON or YAML), `kubectl api-versions` or `kubectl
    /// api-resources`, or YAML with `kubeVersion` and `apiVersions`.
    ///
    /// @param file as people call it
    /// @throws Fault USAGE where it is none of them
    public static KubeFacts parse(String file, String text) {
        Matcher server = SERVER.matcher(text);
        if (server.find()) {
            return new KubeFacts(Optional.ofNullable(server.group(1)).orElseGet(() -> server.group(2)), List.of());
        }
        List<String> lines =
                text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        if (lines.isEmpty()) {
            throw refused(file, "is empty");
        }
        if (RESOURCES.matcher(lines.getFirst()).matches()) {
            return new KubeFacts("", resources(file, lines));
        }
        if (lines.stream().allMatch(line -> API.matcher(line).matches())) {
            return new KubeFacts("", lines);
        }
        if (lines.size() == 1 && VERSION.matcher(lines.getFirst()).matches()) {
            return new KubeFacts(lines.getFirst(), List.of());
        }
        return ofYaml(file, text);
    }

    /// The columns from the right: short names may be absent.
    private static List<String> resources(String file, List<String> lines) {
        List<String> all = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] columns = line.split("\\s+", -1);
            int namespaced = List.of(columns).lastIndexOf("true");
            int at = namespaced > 0 ? namespaced : List.of(columns).lastIndexOf("false");
            if (at < 1 || at + 1 >= columns.length) {
                throw refused(file, "has a line that kubectl api-resources does not print: " + line);
            }
            all.add(columns[at - 1]);
            all.add(columns[at - 1] + "/" + columns[at + 1]);
        }
        return all;
    }

    private static KubeFacts ofYaml(String file, String text) {
        YamlNode node = new YamlReader(file, FaultCode.USAGE).read(text.getBytes(StandardCharsets.UTF_8));
        if (node instanceof YamlNode.Mapping top) {
            Optional<String> version = top.get("serverVersion")
                    .flatMap(server ->
                            server instanceof YamlNode.Mapping fields ? fields.text("gitVersion") : Optional.empty())
                    .or(() -> top.text("gitVersion"))
                    .or(() -> scalar(top, "kubeVersion"));
            List<String> served = top.get("apiVersions").map(KubeFacts::texts).orElse(List.of());
            if (version.isPresent() || !served.isEmpty()) {
                return new KubeFacts(version.orElse(""), served);
            }
        }
        throw refused(
                file,
                "is neither saved output of kubectl version, api-versions or api-resources, nor YAML with kubeVersion or"
                        + " apiVersions; kubectl version must have asked a cluster");
    }

    private static Optional<String> scalar(YamlNode.Mapping top, String key) {
        return top.get(key).flatMap(value -> switch (value) {
            case YamlNode.Text text -> Optional.of(text.value());
            case YamlNode.Number number -> Optional.of(number.source());
            default -> Optional.empty();
        });
    }

    private static List<String> texts(YamlNode node) {
        return node instanceof YamlNode.Sequence list
                ? list.items().stream()
                        .flatMap(item -> item instanceof YamlNode.Text text
                                ? java.util.stream.Stream.of(text.value())
                                : java.util.stream.Stream.empty())
                        .toList()
                : List.of();
    }

    private static Fault refused(String file, String why) {
        return new Fault(FaultCode.USAGE, file + " " + why);
    }
}

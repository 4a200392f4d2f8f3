package dev.remora.plugin;

import dev.remora.digest.Sha256;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.yaml.GoFields;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Reads a `plugin.yaml` as Argo CD does (`docs/spec/plugin-yaml.md`), and its `remora:` block; reports every broken
/// rule at once.
public final class PluginDefinitionReader {
    static final String KIND = "ConfigManagementPlugin";

    /// In front of each broken rule, as Argo CD has it.
    private static final String INVALID = "invalid plugin configuration file. ";

    private final String file;
    private final List<Problem> problems = new ArrayList<>();

    private PluginDefinitionReader(String file) {
        this.file = file;
    }

    /// The definition, or a fault with every problem: `CONFIG_INVALID`. Faults name `file`.
    public static PluginDefinition read(byte[] text, String file) {
        YamlReader.First first = new YamlReader(file, FaultCode.CONFIG_INVALID).first(text);
        return new PluginDefinitionReader(file).definition(first, Sha256.hex(text));
    }

    private PluginDefinition definition(YamlReader.First first, String digest) {
        GoFields top = GoFields.ofYaml(first.root(), file, problems);
        GoFields metadata = top.object("metadata");
        GoFields spec = top.object("spec");
        GoFields parameters = spec.object("parameters");
        new ObjectMetaRules(file, problems).check(metadata);
        String apiVersion = top.text("apiVersion");
        String kind = top.text("kind");
        var definition = new PluginDefinition(
                file,
                metadata.text("name"),
                spec.text("version"),
                command(spec.object("init")),
                command(spec.object("generate")),
                discover(spec.object("discover")),
                announcements(parameters),
                command(parameters.object("dynamic")),
                spec.bool("preserveFileMode"),
                spec.bool("provideGitCreds"),
                new RemoraBlock(file, problems).read(top),
                Stream.of(LostText.in(first, file), UnreadKeys.in(top, file), IgnoredVariables.in(top, file))
                        .flatMap(List::stream)
                        .toList(),
                digest);
        validate(definition, top, kind, apiVersion);
        refuse();
        return definition;
    }

    private static CommandSpec command(GoFields fields) {
        return new CommandSpec(fields.texts("command"), fields.texts("args"));
    }

    private static List<DiscoverRule> discover(GoFields discover) {
        GoFields find = discover.object("find");
        List<DiscoverRule> rules = new ArrayList<>();
        String fileName = discover.text("fileName");
        if (!fileName.isEmpty()) {
            rules.add(new DiscoverRule.FileName(fileName));
        }
        String glob = find.text("glob");
        if (!glob.isEmpty()) {
            rules.add(new DiscoverRule.FindGlob(glob));
        }
        CommandSpec command = command(find);
        if (command.defined()) {
            rules.add(new DiscoverRule.FindCommand(command));
        }
        return rules;
    }

    private List<ParameterAnnouncement> announcements(GoFields parameters) {
        List<ParameterAnnouncement> announcements = new ArrayList<>();
        for (GoFields announcement : parameters.objects("static")) {
            if (announcement.isNull()) {
                problems.add(Problem.at(
                        where(announcement.node()),
                        announcement.path() + " is null, which would break every announcement",
                        "remove the entry or give it a name"));
            } else {
                announcements.add(AnnouncementFields.read(announcement));
            }
        }
        return announcements;
    }

    /// Argo CD's rules in its order; it stops at the first.
    private void validate(PluginDefinition definition, GoFields top, String kind, String apiVersion) {
        if (definition.name().isEmpty() && unbroken("metadata.name")) {
            problems.add(Problem.at(
                    top.object("metadata").where("name"),
                    INVALID + "metadata.name should be non-empty",
                    "write metadata: {name: my-plugin}"));
        }
        if (!kind.equals(KIND) && unbroken("kind")) {
            problems.add(Problem.at(
                    top.where("kind"), INVALID + "kind should be " + KIND + ", found " + kind, "write kind: " + KIND));
        }
        if (!definition.generate().defined() && unbroken("spec.generate")) {
            problems.add(Problem.at(
                    top.object("spec").object("generate").where("command"),
                    INVALID + "spec.generate command should be non-empty",
                    "name the program to run, as in generate: {command: [sh, render.sh]}"
                            + (apiVersion.isEmpty() && kind.isEmpty()
                                    ? "; the file looks like no plugin at all"
                                    : "")));
        }
    }

    /// Whether the field could be read: one mistake is told once.
    private boolean unbroken(String field) {
        List<String> told = List.of("document:", field + ":", field + ".", field.replaceAll("\\..*", ":"));
        return problems.stream()
                .map(Problem::message)
                .noneMatch(message -> told.stream().anyMatch(message::startsWith));
    }

    private void refuse() {
        if (problems.isEmpty()) {
            return;
        }
        List<Problem> all = problems.stream()
                .distinct()
                .sorted(Comparator.comparingInt(PluginDefinitionReader::line))
                .toList();
        throw new Fault(FaultCode.CONFIG_INVALID, all);
    }

    private static int line(Problem problem) {
        return problem.where().map(Where::line).orElse(0);
    }

    private Where where(YamlNode node) {
        return new Where(file, node.line(), node.column());
    }
}

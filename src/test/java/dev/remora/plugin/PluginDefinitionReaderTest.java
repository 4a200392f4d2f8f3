package dev.remora.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of `docs/spec/plugin-yaml.md` for what Argo CD knows; the remora block has [RemoraBlockTest].
class PluginDefinitionReaderTest {
    private static final String MINIMAL =
            "kind: ConfigManagementPlugin\nmetadata: {name: cat}\nspec: {generate: {command: [command]}}\n";

    @Test
    void readsAMinimalDefinitionWithDefaultsForTheRest() {
        PluginDefinition definition = read(MINIMAL);

        assertThat(definition.name()).isEqualTo("cat");
        assertThat(definition.version()).isEmpty();
        assertThat(definition.generate()).isEqualTo(new CommandSpec(List.of("command"), List.of()));
        assertThat(definition.init().defined()).isFalse();
        assertThat(definition.discoveryConfigured()).isFalse();
        assertThat(definition.staticParameters()).isEmpty();
        assertThat(definition.dynamicParameters().defined()).isFalse();
        assertThat(definition.preserveFileMode()).isFalse();
        assertThat(definition.provideGitCreds()).isFalse();
        assertThat(definition.settings()).isEqualTo(RemoraSettings.DEFAULTS);
        assertThat(definition.notes()).isEmpty();
    }

    @Test
    void readsEveryField() {
        PluginDefinition definition = read("""
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: all, labels: {a: b}, creationTimestamp: 2024-01-02T03:04:05Z, generation: 3}
                spec:
                  version: v1.0
                  init: {command: [sh, -c], args: [prepare]}
                  generate: {command: [sh], args: [render.sh]}
                  discover:
                    fileName: "*.yaml"
                    find: {glob: "**/x", command: [find], args: [.]}
                  parameters:
                    static:
                      - {name: a, title: A, tooltip: t, required: true, itemType: number, collectionType: map,
                         string: s, array: [x, null], map: {k: v}}
                    dynamic: {command: [list], args: [-a]}
                  preserveFileMode: yes
                  provideGitCreds: on
                """);

        assertThat(definition.registeredName()).isEqualTo("all-v1.0");
        assertThat(definition.socketName()).isEqualTo("all-v1.0.sock");
        assertThat(definition.init().argv()).containsExactly("sh", "-c", "prepare");
        assertThat(definition.generate().argv()).containsExactly("sh", "render.sh");
        assertThat(definition.discover())
                .containsExactly(
                        new DiscoverRule.FileName("*.yaml"),
                        new DiscoverRule.FindGlob("**/x"),
                        new DiscoverRule.FindCommand(new CommandSpec(List.of("find"), List.of("."))));
        assertThat(definition.discoverRule()).contains(new DiscoverRule.FileName("*.yaml"));
        assertThat(definition.staticParameters())
                .containsExactly(new ParameterAnnouncement(
                        "a", "A", "t", true, "number", "map", "s", List.of("x", ""), Map.of("k", "v")));
        assertThat(definition.dynamicParameters().argv()).containsExactly("list", "-a");
        assertThat(definition.preserveFileMode()).isTrue();
        assertThat(definition.provideGitCreds()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "discover: {} | false",
                "discover: {find: {glob: '*.x'}} | true",
                "discover: {fileName: x} | true",
                "discover: {find: {command: []}} | false",
                "discover: {find: {command: [x]}} | true",
                "discover: {find: {args: [x]}} | false",
                "discover: {fileName: '', find: {glob: ''}} | false",
                "discover: null | false",
                "discovery: {fileName: x} | false",
            })
    void knowsWhetherDiscoveryIsDefined(String discover, boolean defined) {
        assertThat(read(MINIMAL.replace("spec: {", "spec: {" + discover + ", ")).discoveryConfigured())
                .isEqualTo(defined);
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata:", "metadata: {name: \"\"}", "metadata: {name: null}", "metadata: {}"})
    void refusesAnEmptyName(String metadata) {
        Fault fault = refusal(MINIMAL.replace("metadata: {name: cat}", metadata));

        assertThat(fault.code()).isEqualTo(FaultCode.CONFIG_INVALID);
        assertThat(fault).hasMessageContaining("invalid plugin configuration file. metadata.name should be non-empty");
    }

    @Test
    void refusesAnotherKindAndAcceptsATabBehindAKey() {
        Fault fault = refusal("kind: invalid\nmetadata:\t\n  name: x\nspec: {generate: {command: [x]}}\n");

        assertThat(fault)
                .hasMessageContaining("plugin.yaml:1:7: invalid plugin configuration file."
                        + " kind should be ConfigManagementPlugin, found invalid");
        assertThat(fault.problems()).hasSize(1);
    }

    @Test
    void refusesADefinitionWithoutGenerate() {
        Fault fault = refusal("kind: ConfigManagementPlugin\nmetadata: {name: x}\n");

        assertThat(fault)
                .hasMessageContaining("invalid plugin configuration file. spec.generate command should be non-empty");
    }

    @Test
    void letsAnEmptyProgramNamePass() {
        assertThat(read(MINIMAL.replace("[command]", "[\"\"]")).generate().argv())
                .containsExactly("");
    }

    @Test
    void reportsEveryBrokenRuleAtOnceWithItsPlace() {
        Fault fault = refusal("""
                kind: Wrong
                metadata: {}
                spec:
                  version: 1.0
                  generate: {command: sh}
                  preserveFileMode: "true"
                """);

        assertThat(fault.problems().stream().map(Problem::toString))
                .hasSize(5)
                .anyMatch(text -> text.startsWith("plugin.yaml:1:7: invalid plugin configuration file. kind should be"))
                .anyMatch(text -> text.startsWith("plugin.yaml:2:") && text.contains("metadata.name should be"))
                .anyMatch(text -> text.startsWith("plugin.yaml:4:12: spec.version: cannot unmarshal number"))
                .anyMatch(text -> text.startsWith("plugin.yaml:5:23: spec.generate.command: cannot unmarshal string"))
                .anyMatch(text -> text.startsWith("plugin.yaml:6:21: spec.preserveFileMode: cannot unmarshal string"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata: {name: n} | metadata.name: cannot unmarshal bool into a value of type string",
                "metadata: {name: x, labels: {a: 1}} | metadata.labels.a: cannot unmarshal number",
                "metadata: {name: x, labels: [a]} | metadata.labels: cannot unmarshal array",
                "metadata: {name: x, creationTimestamp: yesterday} | metadata.creationTimestamp: cannot unmarshal",
                "metadata: {name: x, creationTimestamp: 2024-13-02T03:04:05Z} | metadata.creationTimestamp",
                "metadata: {name: x, generation: 1.5} | metadata.generation: cannot unmarshal number",
                "metadata: {name: x, finalizers: [1]} | metadata.finalizers[0]: cannot unmarshal number",
                "metadata: {name: x, ownerReferences: [{controller: '1'}]} | metadata.ownerReferences[0].controller",
                "metadata: {name: x, managedFields: [{time: 1}]} | metadata.managedFields[0].time",
                "metadata: [] | metadata: cannot unmarshal array",
            })
    void readsMetadataAsAWholeObjectMeta(String metadata, String problem) {
        Fault fault = refusal(MINIMAL.replace("metadata: {name: cat}", metadata));

        assertThat(fault).hasMessageContaining(problem);
        assertThat(fault.problems()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version: 1.0",
                "init: {command: [1]}",
                "init: {args: [y]}",
                "init: {command: sh}",
                "parameters: {static: [{string: 1}]}",
                "parameters: {static: [{map: {x: 1}}]}",
                "parameters: {static: {name: x}}",
                "parameters: {static: [{required: 'true'}]}",
                "discover: {find: {glob: no}}",
                "discover: [x]",
            })
    void refusesWrongTypesWithGosWords(String field) {
        assertThat(refusal(MINIMAL.replace("spec: {", "spec: {" + field + ", ")))
                .hasMessageContaining("cannot unmarshal");
    }

    @Test
    void takesNullForEveryDefault() {
        PluginDefinition definition = read(MINIMAL.replace(
                "spec: {", "spec: {version: null, init: ~, discover: {fileName: null}, preserveFileMode: null, "));

        assertThat(definition).isEqualTo(withDigestOf(definition, read(MINIMAL)));
    }

    @Test
    void takesNullListItemsForEmptyTexts() {
        assertThat(read(MINIMAL.replace("[command]", "[a, null]")).generate().command())
                .containsExactly("a", "");
    }

    @Test
    void refusesANullAnnouncementAtStart() {
        Fault fault = refusal(MINIMAL.replace("spec: {", "spec: {parameters: {static: [{name: a}, null]}, "));

        assertThat(fault).hasMessageContaining("spec.parameters.static[1] is null");
    }

    @Test
    void matchesKeysWithoutRegardToCase() {
        PluginDefinition definition =
                read("KIND: ConfigManagementPlugin\nMetaData: {NAME: x}\nSpec: {GENERATE: {Command: [c]}}\n");

        assertThat(definition.name()).isEqualTo("x");
        assertThat(definition.generate().command()).containsExactly("c");
        assertThat(definition.notes()).isEmpty();
    }

    @Test
    void mergesObjectsWhoseKeysDifferInCaseOnly() {
        PluginDefinition definition =
                read(MINIMAL + "SPEC: {version: v2, generate: {command: [lost], args: [kept]}}\n");

        assertThat(definition.version()).isEqualTo("v2");
        assertThat(definition.generate().argv()).containsExactly("command", "kept");
    }

    @Test
    void takesTheLastOfEqualKeys() {
        assertThat(read(MINIMAL + "metadata: {name: second}\n").name()).isEqualTo("second");
    }

    @Test
    void readsTheFirstDocumentOnly() {
        assertThat(read(MINIMAL + "---\n{ not: [ even yaml\n").name()).isEqualTo("cat");
        assertThat(read("# a comment\n---\n" + MINIMAL).name()).isEqualTo("cat");
        assertThat(refusal("---\n---\n" + MINIMAL)).hasMessageContaining("metadata.name should be non-empty");
        assertThat(refusal("")).hasMessageContaining("metadata.name should be non-empty");
    }

    @Test
    void readsJsonAnchorsAndMergeKeys() {
        assertThat(read("{\"kind\":\"ConfigManagementPlugin\",\"metadata\":{\"name\":\"j\"},"
                                + "\"spec\":{\"generate\":{\"command\":[\"c\"]}}}")
                        .name())
                .isEqualTo("j");
        assertThat(read("""
                                kind: ConfigManagementPlugin
                                metadata: {name: m}
                                x: &x {command: [a]}
                                spec: {generate: {<<: *x, args: [b]}, init: *x}
                                """).generate().argv()).containsExactly("a", "b");
    }

    @Test
    void notesUnknownKeysWithAProposal() {
        List<Problem> notes = read(MINIMAL.replace("spec: {", "spec: {discovery: {fileName: x}, lockRepo: true, "))
                .notes();

        assertThat(notes.stream().map(Problem::toString))
                .containsExactly(
                        "plugin.yaml:3:8: spec.discovery is not read, did you mean discover?",
                        "plugin.yaml:3:34: spec.lockRepo is not read");
    }

    @Test
    void notesWhatAMissingSeparatorLosesAndTakesTheLastAsArgoCdDoes() {
        PluginDefinition definition = read("""
                kind: ConfigManagementPlugin
                metadata: {name: a}
                spec:
                  version: v1
                  version: v2
                  generate: {command: [sh]}
                kind: ConfigManagementPlugin
                metadata: {name: b}
                ---
                kind: Other
                """);

        assertThat(definition.name()).isEqualTo("b");
        assertThat(definition.version()).isEqualTo("v2");
        assertThat(definition.notes().stream().map(Problem::toString))
                .containsExactly(
                        "plugin.yaml:5:3: version stands here again, and what line 4 says of it is lost; write it once,"
                                + " or put a line of three dashes between two documents",
                        "plugin.yaml:7:1: kind stands here again, and what line 1 says of it is lost; write it once, or"
                                + " put a line of three dashes between two documents",
                        "plugin.yaml:8:1: metadata stands here again, and what line 2 says of it is lost; write it"
                                + " once, or put a line of three dashes between two documents",
                        "plugin.yaml:9:1: what follows from here on is not read: a definition is the first document of"
                                + " its file; give it a file of its own");
    }

    @Test
    void aKeyThatReplacesAMergedOneIsNoMistake() {
        assertThat(read("""
                                x: &x {command: [a]}
                                kind: ConfigManagementPlugin
                                metadata: {name: p}
                                spec: {generate: {<<: *x, command: [b]}}
                                """).notes().stream().map(Problem::message)).containsExactly("x is not read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "[1]", "42", "yes"})
    void refusesADocumentThatIsNoObjectOnce(String text) {
        assertThat(refusal(text).problems()).hasSize(1);
    }

    @Test
    void namesTheFileAndPlaceOfBrokenYaml() {
        Fault fault = refusal("kind: x\n  bad: [\n");

        assertThat(fault.code()).isEqualTo(FaultCode.CONFIG_INVALID);
        assertThat(fault).hasMessageStartingWith("plugin.yaml:");
    }

    @Test
    void digestsTheBytesOfTheFile() {
        assertThat(read(MINIMAL).digest()).hasSize(64).isEqualTo(read(MINIMAL).digest());
        assertThat(read(MINIMAL + "#\n").digest()).isNotEqualTo(read(MINIMAL).digest());
    }

    static PluginDefinition read(String text) {
        return PluginDefinitionReader.read(text.getBytes(StandardCharsets.UTF_8), "plugin.yaml");
    }

    static Fault refusal(String text) {
        return catchThrowableOfType(Fault.class, () -> read(text));
    }

    private static PluginDefinition withDigestOf(PluginDefinition of, PluginDefinition like) {
        return new PluginDefinition(
                like.file(),
                like.name(),
                like.version(),
                like.init(),
                like.generate(),
                like.discover(),
                like.staticParameters(),
                like.dynamicParameters(),
                like.preserveFileMode(),
                like.provideGitCreds(),
                like.settings(),
                like.notes(),
                of.digest());
    }
}

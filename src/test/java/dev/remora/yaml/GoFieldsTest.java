package dev.remora.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoFieldsTest {
    private final List<Problem> problems = new ArrayList<>();

    private GoFields yaml(String text) {
        return GoFields.ofYaml(
                new YamlReader("plugin.yaml", FaultCode.CONFIG_INVALID).read(text.getBytes(UTF_8)),
                "plugin.yaml",
                problems);
    }

    private GoFields json(String text) {
        return GoFields.of(
                new JsonReader("stdout", FaultCode.PARAMETERS_INVALID).read(text.getBytes(UTF_8)),
                "",
                "stdout",
                problems);
    }

    @Test
    void keysMatchWithoutRegardToCase() {
        assertThat(yaml("KIND: x\n").text("kind")).isEqualTo("x");
        assertThat(yaml("Spec:\n  GENERATE: {command: [sh]}\n")
                        .object("spec")
                        .object("generate")
                        .texts("Command"))
                .containsExactly("sh");
        assertThat(problems).isEmpty();
    }

    @Test
    void ofKeysThatDifferInCaseTheLowerCaseOneCountsInYaml() {
        assertThat(yaml("kind: a\nKind: b\n").text("kind")).isEqualTo("a");
        assertThat(json("{\"kind\":\"a\",\"Kind\":\"b\"}").text("kind")).isEqualTo("b");
    }

    @Test
    void objectsUnderKeysThatDifferInCaseAreMerged() {
        GoFields spec = yaml("SPEC: {version: v1, x: 1}\nspec: {version: v2, name: n1}\n")
                .object("spec");

        assertThat(spec.text("version")).isEqualTo("v2");
        assertThat(spec.text("name")).isEqualTo("n1");
        assertThat(spec.has("x")).isTrue();
    }

    @Test
    void nullIsTheDefault() {
        GoFields fields = yaml("a: ~\nb:\nc: null\nd: [~, x]\ne:\n");

        assertThat(fields.text("a")).isEmpty();
        assertThat(fields.bool("b")).isFalse();
        assertThat(fields.texts("c")).isEmpty();
        assertThat(fields.texts("d")).containsExactly("", "x");
        assertThat(fields.object("e").isNull()).isTrue();
        assertThat(fields.has("a")).isFalse();
        assertThat(problems).isEmpty();
    }

    @Test
    void typesAreExactAndAllFaultsAreTold() {
        GoFields fields =
                yaml("name: n\nversion: 1.0\nargs: [1, ok]\ncommand: sh\nflag: \"true\"\nmap: {x: 1, y: b}\n");

        assertThat(fields.text("name")).isEmpty();
        assertThat(fields.text("version")).isEmpty();
        assertThat(fields.texts("args")).containsExactly("", "ok");
        assertThat(fields.texts("command")).isEmpty();
        assertThat(fields.bool("flag")).isFalse();
        assertThat(fields.textMap("map")).isEqualTo(Map.of("x", "", "true", "b"));

        assertThat(problems)
                .map(Problem::toString)
                .containsExactly(
                        "plugin.yaml:1:7: name: cannot unmarshal bool into a value of type string; put it in quotes",
                        "plugin.yaml:2:10: version: cannot unmarshal number into a value of type string; put it in quotes",
                        "plugin.yaml:3:8: args[0]: cannot unmarshal number into a value of type string; put it in quotes",
                        "plugin.yaml:4:10: command: cannot unmarshal string into a value of type list",
                        "plugin.yaml:5:7: flag: cannot unmarshal string into a value of type bool",
                        "plugin.yaml:6:10: map.x: cannot unmarshal number into a value of type string; put it in quotes");
    }

    @Test
    void listsOfObjectsKeepNullItems() {
        List<GoFields> list = json("{\"static\":[{\"name\":\"a\"},null,3]}").objects("static");

        assertThat(list).hasSize(3);
        assertThat(list.get(0).text("name")).isEqualTo("a");
        assertThat(list.get(1).isNull()).isTrue();
        assertThat(problems)
                .map(Problem::message)
                .containsExactly("static[2]: cannot unmarshal number into a value of type object");
    }

    @Test
    void tellsUnknownKeysWithTheirPlaces() {
        assertThat(yaml("name: x\nnmae: y\n").unknown(List.of("Name")))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.key()).isEqualTo("nmae");
                    assertThat(entry.line()).isEqualTo(2);
                });
    }
}

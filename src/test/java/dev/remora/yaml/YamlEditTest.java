package dev.remora.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.yaml.YamlEdit.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class YamlEditTest {
    private static final String APPLICATION = """
            # the shop
            spec:
              source:
                # where
                repoURL: https://example.org/x.git   # ours
                plugin:
                  name: "cat"
                  env:
                  - name: A   # first
                    value: one
                  # more of them

              project: default  # last
            """;

    private static List<Step> path(String dotted) {
        List<Step> path = new ArrayList<>();
        for (String part : dotted.split("\\.", -1)) {
            path.add(part.matches("\\d+") ? Step.item(Integer.parseInt(part)) : Step.key(part));
        }
        return path;
    }

    private static String set(String text, String path, YamlNode value) {
        YamlEdit edit = new YamlEdit("app.yaml", text, 1);
        edit.set(path(path), value);
        return edit.text();
    }

    private static YamlNode texts(String... values) {
        return YamlNode.list(List.of(values).stream().map(YamlNode::text).toList());
    }

    @Test
    void exchangesAScalarAndKeepsTheCommentBehindIt() {
        assertThat(set(APPLICATION, "spec.project", YamlNode.text("team")))
                .isEqualTo(APPLICATION.replace("project: default  # last", "project: team  # last"));
        assertThat(set(APPLICATION, "spec.source.plugin.env.0.name", YamlNode.text("yes")))
                .isEqualTo(APPLICATION.replace("- name: A   # first", "- name: \"yes\"   # first"));
        assertThat(set(APPLICATION, "spec.source.plugin.name", YamlNode.text("dog")))
                .isEqualTo(APPLICATION.replace("\"cat\"", "dog"));
    }

    @Test
    void addsAKeyBehindTheOthers() {
        assertThat(set(APPLICATION, "spec.source.plugin.parameters", texts("a")))
                .isEqualTo(APPLICATION.replace(
                        "        value: one\n      # more of them\n",
                        "        value: one\n      # more of them\n      parameters:\n      - a\n"));
    }

    @Test
    void addsAnItemBehindTheOthers() {
        YamlNode item = YamlNode.map(
                List.of(YamlNode.entry("name", YamlNode.text("B")), YamlNode.entry("value", YamlNode.text("two"))));

        assertThat(set(APPLICATION, "spec.source.plugin.env.1", item))
                .isEqualTo(APPLICATION.replace(
                        "      # more of them\n", "      # more of them\n      - name: B\n        value: two\n"));
    }

    @Test
    void makesWhatIsAbsentOnTheWay() {
        assertThat(set("a: 1\n", "metadata.annotations.x/y", YamlNode.text("z")))
                .isEqualTo("a: 1\nmetadata:\n  annotations:\n    x/y: z\n");
    }

    @Test
    void fillsAKeyWithoutAValue() {
        assertThat(set("a:\nb: 2\n", "a", YamlNode.text("x"))).isEqualTo("a: x\nb: 2\n");
        assertThat(set("a: # none\nb: 2\n", "a", YamlNode.text("x"))).isEqualTo("a: x # none\nb: 2\n");
        assertThat(set("a: null # none\nb: 2\n", "a", texts("x"))).isEqualTo("a: # none\n- x\nb: 2\n");
        assertThat(set("a: ~\nb: 2\n", "a.c", YamlNode.text("x"))).isEqualTo("a:\n  c: x\nb: 2\n");
    }

    @Test
    void exchangesABlockAndKeepsTheCommentOfItsKey() {
        assertThat(set("a: # why\n  - 1\n  # gone\n  - 2\nb: 3\n", "a", texts("v", "w")))
                .isEqualTo("a: # why\n- v\n- w\nb: 3\n");
        assertThat(set("a:\n  b: 1\nc: 2\n", "a", YamlNode.text("x"))).isEqualTo("a: x\nc: 2\n");
        assertThat(set("a: |\n  one\n  two\nc: 2\n", "a", YamlNode.text("x"))).isEqualTo("a: x\nc: 2\n");
    }

    @Test
    void writesIntoFlowCollections() {
        assertThat(set("a: {b: 1, c: [x]} # z\n", "a.c.1", YamlNode.text("y")))
                .isEqualTo("a: {b: 1, c: [x, \"y\"]} # z\n");
        assertThat(set("a: {}\n", "a.b", YamlNode.text("y"))).isEqualTo("a: {\"b\": \"y\"}\n");
        assertThat(set("a: {b: '}', c: x}\n", "a.d", texts("y"))).isEqualTo("a: {b: '}', c: x, \"d\": [\"y\"]}\n");
        assertThat(set("a: {b: old, c: x}\n", "a.b", YamlNode.text("new"))).isEqualTo("a: {b: \"new\", c: x}\n");
    }

    @Test
    void writesIntoJson() {
        assertThat(set("{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", "a.c", YamlNode.text("x")))
                .isEqualTo("{\n  \"a\": {\n    \"b\": 1, \"c\": \"x\"\n  }\n}\n");
    }

    @Test
    void keepsCarriageReturns() {
        assertThat(set("a: 1\r\nb:\r\n  c: 2\r\n", "b.d", YamlNode.text("x")))
                .isEqualTo("a: 1\r\nb:\r\n  c: 2\r\n  d: x\r\n");
    }

    @Test
    void endsALastLineThatWasNotEnded() {
        assertThat(set("a: 1", "b", YamlNode.text("x"))).isEqualTo("a: 1\nb: x\n");
    }

    @Test
    void countsColumnsInCharacters() {
        assertThat(set("{\"😀\": 1, b: old}\n", "b", YamlNode.text("new"))).isEqualTo("{\"😀\": 1, b: \"new\"}\n");
    }

    @Test
    void quotesWhatYamlWouldTakeForSomethingElse() {
        for (String value : List.of("1.0", "yes", "a: b", "# c", "x\ny", "", "{", "*a", "é\u2028", "0x10", " a ")) {
            String changed = set("a: old\nb: 1\n", "a", YamlNode.text(value));

            assertThat(new YamlEdit("f", changed, 1).root())
                    .isInstanceOfSatisfying(
                            YamlNode.Mapping.class,
                            root -> assertThat(root.text("a")).contains(value));
        }
    }

    /// What is not understood is never written wrong.
    @Test
    void refusesWhatItCannotChange() {
        for (String text : List.of("a: &x old\nb: *x\n", "a: one\n  two\nb: 1\n")) {
            YamlEdit edit = new YamlEdit("app.yaml", text, 1);

            assertThatThrownBy(() -> edit.set(path("a"), YamlNode.text("new")))
                    .isInstanceOf(Fault.class)
                    .hasMessageContaining("set a by hand");
            assertThat(edit.text()).isEqualTo(text);
        }
    }
}

package dev.remora.application;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Where;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

class ApplicationEditTest {
    private static final String FILE = """
            # other things
            kind: ConfigMap
            apiVersion: v1
            ---
            # the shop
            apiVersion: argoproj.io/v1alpha1
            kind: Application
            metadata: {name: shop}   # short
            spec:
              source:
                repoURL: https://example.org/x.git
                plugin:
                  parameters:
                  # files in their order
                  - name: values-files
                    array:
                    - base.yaml   # first
                    - old.yaml
                  - {name: version, string: "1"}
            ---
            kind: Last
            """;
    private static final Where SHOP = new Where("apps.yaml", 6, 1);

    private static ApplicationEdit shop() {
        return ApplicationEdit.of(FILE, SHOP);
    }

    private static SequencedMap<String, String> map(String key, String value) {
        return new LinkedHashMap<>(Map.of(key, value));
    }

    @Test
    void setsAnArrayItemByItem() {
        ApplicationEdit edit = shop();

        edit.setParameters(
                0, false, List.of(PluginParameter.ofArray("values-files", List.of("base.yaml", "prod.yaml"))));

        assertThat(edit.text()).isEqualTo(FILE.replace("old.yaml", "prod.yaml"));
    }

    @Test
    void setsAStringInAFlowMapping() {
        ApplicationEdit edit = shop();

        edit.setParameters(0, false, List.of(PluginParameter.ofString("version", "2")));

        assertThat(edit.text()).isEqualTo(FILE.replace("string: \"1\"", "string: \"2\""));
    }

    @Test
    void addsAParameterBehindTheOthers() {
        ApplicationEdit edit = shop();

        edit.setParameters(0, false, List.of(PluginParameter.ofMap("helm", map("image.tag", "v1"))));

        assertThat(edit.text())
                .isEqualTo(FILE.replace(
                        "string: \"1\"}\n",
                        "string: \"1\"}\n      - name: helm\n        map:\n          image.tag: v1\n"));
    }

    @Test
    void writesAnAnnotation() {
        ApplicationEdit edit = shop();

        edit.annotate("argocd.argoproj.io/manifest-generate-paths", ".;/lib");

        assertThat(edit.text())
                .contains("metadata: {name: shop, \"annotations\": {\"argocd.argoproj.io/manifest-generate-paths\":"
                        + "\".;/lib\"}}   # short");
    }

    @Test
    void writesIntoTheSourceThatIsMeant() {
        String several = """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                spec:
                  sources:
                  - repoURL: a
                  - repoURL: b
                    plugin: {}
                """;
        ApplicationEdit edit = ApplicationEdit.of(several, new Where("a.yaml", 1, 1));

        edit.setParameters(1, true, List.of(PluginParameter.ofString("x", "y")));

        assertThat(edit.text())
                .isEqualTo(
                        several.replace("plugin: {}", "plugin: {\"parameters\": [{\"name\":\"x\",\"string\":\"y\"}]}"));
    }

    @Test
    void makesTheBlockOfAPlugin() {
        String bare = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    repoURL: a\n";
        ApplicationEdit edit = ApplicationEdit.of(bare, new Where("a.yaml", 1, 1));

        edit.setParameters(0, false, List.of(PluginParameter.ofString("x", "y")));

        assertThat(edit.text())
                .isEqualTo(bare + "    plugin:\n      parameters:\n      - name: x\n        string: \"y\"\n");
    }

    @Test
    void tellsItsChangesAsAJsonPatch() {
        ApplicationEdit edit = shop();

        edit.setParameters(0, false, List.of(PluginParameter.ofString("version", "2")));
        edit.annotate("x/y", "z");

        assertThat(edit.operations())
                .extracting(one -> one.op() + " " + one.path() + " " + dev.remora.yaml.GoJson.text(one.value()))
                .containsExactly(
                        "replace /spec/source/plugin/parameters/1/string \"2\"",
                        "add /metadata/annotations {\"x/y\":\"z\"}");
    }

    @Test
    void findsAnApplicationInAList() {
        String list = """
                kind: List
                apiVersion: v1
                items:
                - apiVersion: argoproj.io/v1alpha1
                  kind: Application
                  metadata:
                    name: a
                - apiVersion: argoproj.io/v1alpha1
                  kind: Application
                  metadata:
                    name: b
                """;
        YamlNode.Mapping root = (YamlNode.Mapping) new YamlReader("l", FaultCode.INTERNAL).read(list.getBytes(UTF_8));
        YamlNode second =
                ((YamlNode.Sequence) root.get("items").orElseThrow()).items().get(1);
        ApplicationEdit edit = ApplicationEdit.of(list, new Where("l", second.line(), second.column()));

        edit.annotate("x", "y");

        assertThat(edit.text()).isEqualTo(list + "    annotations:\n      x: \"y\"\n");
    }

    @Test
    void saysThatTheFileChangedMeanwhile() {
        assertThatThrownBy(() -> ApplicationEdit.of(FILE, new Where("apps.yaml", 2, 1)))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("is not there any more");
    }
}

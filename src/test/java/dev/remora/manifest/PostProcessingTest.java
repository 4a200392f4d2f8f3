package dev.remora.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostProcessingTest {
    private static final Path ANSWERS = Path.of("src/test/resources/post-processing");
    /// As many as `repo-server.jsonl` must hold, so that a lost file is no green test.
    private static final int CASES = 175;

    private static final PostProcessing STANDARD = new PostProcessing(Tracking.standard("guestbook", "default"));

    /// One question that Argo CD's repo-server was asked.
    @SuppressWarnings("ArrayRecordComponent") // none is compared
    private record Case(String name, byte[] output, Tracking tracking, List<String> manifests, String error) {
        static Case of(YamlNode.Mapping line) throws IOException {
            byte[] output = line.get("input").isPresent()
                    ? Files.readAllBytes(ANSWERS.resolve(text(line, "input")))
                    : text(line, "text").getBytes(UTF_8);
            Tracking tracking = new Tracking(
                    Tracking.Method.of(text(line, "method")),
                    text(line, "labelKey"),
                    text(line, "installationId"),
                    text(line, "app"),
                    text(line, "namespace"));
            List<String> manifests = new ArrayList<>();
            if (line.get("manifests").orElse(null) instanceof YamlNode.Sequence list) {
                list.items().forEach(item -> manifests.add(((YamlNode.Text) item).value()));
            }
            String name = text(line, "name") + " " + tracking.method() + " " + tracking.labelKey() + " "
                    + tracking.installationId();
            return new Case(name, output, tracking, manifests, text(line, "error"));
        }

        private static String text(YamlNode.Mapping line, String key) {
            return line.text(key).orElse("");
        }

        /// As the plugin server splits what the command printed.
        List<RenderedObject> run() {
            List<ManifestDocument> documents =
                    ManifestSplitter.split(ManifestSplitter.trimmed(output), SplitOptions.ARGOCD);
            return new PostProcessing(tracking).ofPlugin(0, documents);
        }
    }

    private static List<Case> cases() throws IOException {
        JsonReader reader = new JsonReader("repo-server.jsonl", FaultCode.INTERNAL);
        List<Case> cases = new ArrayList<>();
        for (String line : Files.readAllLines(ANSWERS.resolve("repo-server.jsonl"))) {
            YamlNode.Mapping read = (YamlNode.Mapping) reader.read(line.getBytes(UTF_8));
            if (read.get("argocd").isEmpty()) {
                cases.add(Case.of(read));
            }
        }
        assertThat(cases).hasSize(CASES);
        return cases;
    }

    @TestFactory
    Stream<DynamicTest> answersAsTheRepoServer() throws IOException {
        return cases().stream()
                .filter(each -> each.error().isEmpty())
                .map(each -> DynamicTest.dynamicTest(
                        each.name(),
                        () -> assertThat(each.run())
                                .extracting(object -> new String(object.json(), UTF_8))
                                .containsExactlyElementsOf(each.manifests())));
    }

    @TestFactory
    Stream<DynamicTest> refusesWhatTheRepoServerRefusesInItsWords() throws IOException {
        return cases().stream()
                .filter(each -> !each.error().isEmpty())
                .map(each -> DynamicTest.dynamicTest(
                        each.name(),
                        () -> assertThatThrownBy(each::run)
                                .isInstanceOf(Fault.class)
                                .satisfies(thrown -> assertThat(withoutPlace(Fault.words(thrown)))
                                        .isEqualTo(withoutValues(each.error())))));
    }

    /// Ours never says a value.
    private static String withoutValues(String theirs) {
        return theirs.replaceAll("is missing in '.*'$", "is missing")
                .replaceAll("\": \\S+ is of the type", "\": it is of the type")
                .replaceAll("error: \\S+ is of the type", "error: the value is of the type")
                .replaceFirst(
                        "^CMP processing failed for application \"guestbook\": error generating manifests in cmp: "
                                + "rpc error: code = Unknown desc = error generating manifests: ",
                        "");
    }

    /// Ours says where, and what to do.
    private static String withoutPlace(String ours) {
        return ours.replaceAll("(?s)(, in document \\d+ \\(line \\d+ of the output\\))?(; .*)?$", "")
                .replaceAll("yaml: line \\d+: ", "yaml: ")
                .replaceAll(", since apiVersion has more than one slash", "");
    }

    @Test
    void marksEveryObjectAlsoInListsButNoDefinitionOfAResource() {
        List<ManifestDocument> documents = ManifestSplitter.split("""
                kind: List
                items: [{kind: ConfigMap, metadata: {name: a}}, {kind: Service, metadata: {name: b}}]
                ---
                {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c}}
                """.getBytes(UTF_8), SplitOptions.ARGOCD);

        assertThat(STANDARD.ofPlugin(0, documents))
                .extracting(object -> new String(object.json(), UTF_8).contains("tracking-id"))
                .containsExactly(true, true, false);
    }

    @Test
    void saysWhereTheDocumentIsThatCannotBeAnObject() {
        List<ManifestDocument> documents = ManifestSplitter.split(
                "kind: A\n---\n# none\n---\nkind: B\n---\n{\"a\": 1}\n".getBytes(UTF_8), SplitOptions.ARGOCD);

        assertThatThrownBy(() -> STANDARD.ofPlugin(0, documents))
                .hasMessageEndingWith("Object 'Kind' is missing, in document 4 (line 7 of the output);"
                        + " print objects with a kind");
    }

    @Test
    void neverSaysAValue() {
        List<ManifestDocument> documents = ManifestSplitter.split(
                "kind: A\nmetadata: {annotations: {token: 123456}}\n".getBytes(UTF_8), SplitOptions.ARGOCD);

        assertThatThrownBy(() -> STANDARD.ofPlugin(0, documents))
                .hasMessageContaining("under key \"token\"")
                .hasMessageNotContaining("123456");
    }

    /// One answer as a server of another make may give it: not yet split.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kind: Deployment                                     | 1
            kind: Deployment␊---␊kind: Deployment                | 2
            ␊␊␊---␊kind: Deployment                              | 1
            kind: Deployment␊---␊null␊---␊# none␊---␊kind: Other | 2
            {"kind":"A"}{"kind":"B"}                             | 2
            ~                                                    | 0
            """)
    void splitsAnAnswer(String answer, int objects) {
        byte[] text = answer.replace('␊', '\n').getBytes(UTF_8);

        assertThat(STANDARD.ofPlugin(0, List.of(new ManifestDocument(text, 1, 1, 1))))
                .hasSize(objects);
    }

    @Test
    void takesSeveralDocumentsOutOfOneString() {
        byte[] answer = "kind: A\n---\nkind: B\n".getBytes(UTF_8);

        assertThat(STANDARD.ofPlugin(1, List.of(new ManifestDocument(answer, 3, 0, 2))))
                .extracting(object -> object.name().kind() + " " + object.place())
                .containsExactly("A document 3", "B document 3");
    }

    /// What a file of a directory holds is not read twice, so that JSON's own escapes work.
    @Test
    void readsTheDocumentsOfAFileAsJson() {
        byte[] document =
                "{\"kind\":\"A\",\"a\":\"\\/ \\ud83d\\ude00\",\"n\":[1.0,1e3,9223372036854775808]}".getBytes(UTF_8);

        List<RenderedObject> objects =
                new PostProcessing(Tracking.standard("", "")).ofFile(0, "app/a.json", List.of(at(document, 7)));

        assertThat(new String(objects.getFirst().json(), UTF_8))
                .isEqualTo("{\"a\":\"/ 😀\",\"kind\":\"A\",\"n\":[1,1000,9223372036854776000]}");
        assertThat(objects.getFirst().place()).hasToString("app/a.json:7");
    }

    @Test
    void namesTheFileThatHoldsNoObject() {
        assertThatThrownBy(() -> STANDARD.ofFile(0, "app/a.yaml", List.of(at("[]".getBytes(UTF_8), 3))))
                .hasMessageStartingWith("app/a.yaml:3: failed to unmarshal manifest: ");
    }

    private static ManifestDocument at(byte[] json, int line) {
        return new ManifestDocument(json, 1, line, 1);
    }
}

package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.git.SourceRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An Application and its plugin, and what `explain` tells of them.
class ExplainApplicationsTest {
    private static final String URL = "https://git.example.com/team/deploy";

    @TempDir
    Path temporary;

    private SourceRepository repository;
    private FakeConsole console;

    @BeforeEach
    void makeRepository() throws IOException {
        repository = SourceRepository.in(temporary.resolve("deploy"));
        repository.git("remote", "add", "origin", URL + ".git");
        repository.write("apps/shop.yaml", """
                # the shop
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata:
                  name: shop   # short
                spec:
                  destination: {server: x, namespace: prod}
                  source:
                    repoURL: %s
                    path: shop
                    targetRevision: main
                    plugin:
                      env:
                      - {name: WHO, value: $ARGOCD_APP_NAME}
                      - {name: API_TOKEN, value: hunter22}
                      parameters:
                      - {name: a-b, string: one}
                """.formatted(URL));
        repository.write("shop/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: shop}}\n");
        repository.write("shop/.argocd-source.yaml", "plugin: {parameters: [{name: a-b, string: two}]}\n");
        repository.write("lib/used.txt", "x");
        repository.write("docs/readme.md", "x");
        repository.write("plugin.yaml", plugin("cat cm.yaml ../lib/used.txt | grep -v x; echo said >&2"));
        repository.commit("first");
        Files.createDirectories(temporary.resolve("work"));
        console = new FakeConsole(repository.folder())
                .with("HOME", temporary.resolve("home").toString())
                .with("TMPDIR", temporary.resolve("work").toString());
    }

    private static String plugin(String generate) {
        return """
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: show}
                spec:
                  discover: {fileName: '*'}
                  init: {command: [sh, -c, "true"]}
                  generate: {command: [sh, -c, "%s"]}
                  parameters:
                    static:
                    - {name: a-b, title: A, string: standard}
                    - {name: files, collectionType: array, required: true}
                """.formatted(generate);
    }

    private int explain(String... arguments) {
        String[] all = new String[arguments.length + 5];
        System.arraycopy(new String[] {"explain", "-f", "apps/shop.yaml", "--plugin", "plugin.yaml"}, 0, all, 0, 5);
        System.arraycopy(arguments, 0, all, 5, arguments.length);
        return console.run(all);
    }

    private String tree() {
        return console.out();
    }

    @Test
    void tellsEveryStepOfARender() {
        assertThat(explain()).as(console.err()).isZero();

        assertThat(tree())
                .startsWith("shop  project default  to namespace prod  (apps/shop.yaml)\n└─ " + URL + "  path shop\n")
                .contains(
                        "├─ main (a local folder) → " + repository.head().hex().substring(0, 12) + " of 20")
                .contains("(working tree); 6 files, ")
                .contains("├─ shop/.argocd-source.yaml changes\n")
                .contains("plugin.parameters: [{\"name\":\"a-b\",\"string\":\"one\"}] → [{\"name\":\"a-b\","
                        + "\"string\":\"two\"}]")
                .contains("├─ plugin show: ")
                .contains("├─ sent 6 files, ", "biggest: apps/shop.yaml ")
                .contains("PARAM_A_B=two  ← parameter a-b")
                .contains("├─ init: sh -c true  0.", "├─ generate: sh -c ", "│  └─ stderr: said")
                .contains("guards: an empty answer is refused")
                .contains("answer: 1 document", "1 object: ConfigMap 1")
                .contains("tracking: annotation argocd.argoproj.io/tracking-id for shop");
    }

    @Test
    void tellsTheSameInJson() {
        assertThat(explain("-o", "json")).as(console.err()).isZero();

        assertThat(console.out())
                .startsWith("{\n  \"schema\" : \"remora/explain/v1\",\n  \"app\" : \"shop\",")
                .contains("\"commit\" : \"" + repository.head().hex() + "\"")
                .contains("\"file\" : \"shop/.argocd-source.yaml\"", "\"field\" : \"plugin.parameters\"")
                .contains("\"PARAM_A_B\" : \"two\"", "\"stderr\" : \"said\\n\"", "\"objects\" : 1");
    }

    @Test
    void saysWhereEveryVariableComesFromAndHidesSecrets() {
        repository.write("shop/.argocd-source.yaml", """
                plugin:
                  env: [{name: WHO}, {name: API_TOKEN, value: overridden1}]
                  parameters: [{name: db-password, string: swordfish}]
                """);
        assertThat(explain("--env")).as(console.err()).isZero();

        assertThat(tree())
                .contains("ARGOCD_ENV_WHO=shop  ← plugin.env WHO")
                .contains("ARGOCD_ENV_API_TOKEN=******", "PARAM_DB_PASSWORD=******")
                .contains("ARGOCD_APP_PARAMETERS=[{\"name\":\"db-password\",\"string\":\"******\"}]")
                .doesNotContain("swordfish", "overridden1", "hunter22");
    }

    @Test
    void tellsOfAFailedRenderWhatCameBefore() {
        repository.write("plugin.yaml", plugin("echo it broke >&2; exit 9"));
        assertThat(explain()).isEqualTo(3);

        assertThat(tree())
                .contains("PARAM_A_B=two", "sent 6 files", "FAILED: ", "it broke", "[command.failed]")
                .doesNotContain("answer:");
        assertThat(console.err()).contains("error: ").contains("[command.failed]");
    }

    @Test
    void failsInJsonAsEveryCommandDoes() {
        repository.write("plugin.yaml", plugin("exit 9"));
        assertThat(explain("-o", "json")).isEqualTo(3);

        assertThat(console.out())
                .startsWith("{\n  \"schema\" : \"remora/fault/v1\"")
                .contains("\"app\" : \"shop\"");
    }

    @Test
    void stopsWhereItIsTold() {
        assertThat(explain("--at", "overrides")).as(console.err()).isZero();
        assertThat(tree()).contains("stopped here, as asked (--at overrides)").doesNotContain("guards", "answer");

        assertThat(explain("--at=plugin")).isZero();
        assertThat(tree()).contains("generate: sh -c", "(not run)").doesNotContain("answer:");
    }

    @Test
    void tellsWhatWasReadAndWritesTheAnnotation() throws IOException {
        assertThat(explain("--reads", "--write-annotation")).as(console.err()).isZero();

        assertThat(tree())
                .contains("opened 2 of 6 files", "manifest-generate-paths: .;/lib/used.txt")
                .contains("wrote manifest-generate-paths to apps/shop.yaml");
        assertThat(Files.readString(repository.folder().resolve("apps/shop.yaml")))
                .startsWith("# the shop\n")
                .contains("""
                          name: shop   # short
                          annotations:
                            argocd.argoproj.io/manifest-generate-paths: .;/lib/used.txt
                        """);
    }

    @Test
    void refusesToWriteWhatItDidNotFind() {
        assertThat(explain("--write-annotation")).isEqualTo(2);
        assertThat(console.err()).contains("give both");
    }

    @Test
    void tellsWhetherACommitMakesItRenderAgain() {
        String before = repository.head().hex();
        repository.write("docs/readme.md", "y").commit("docs");
        assertThat(explain("--since", before, "--reads")).as(console.err()).isZero();
        assertThat(tree())
                .contains("since " + before + ": 1 files differ")
                .contains("Argo CD renders again because of docs/readme.md")
                .contains("no: nothing differs that the plugin opened in this run")
                .contains("without effect: docs/** (1 files)");

        repository.write("lib/used.txt", "xx").commit("lib");
        assertThat(explain("--since", "HEAD~2", "--reads")).as(console.err()).isEqualTo(1);
        assertThat(tree()).contains("yes: lib/used.txt (the plugin opened in this run)");
    }

    @Test
    void takesTheLimitsOfAConfigMap() {
        repository.write("params.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: argocd-cmd-params-cm}
                data:
                  controller.repo.server.timeout.seconds: "120"
                """);
        assertThat(explain("--limits=params.yaml")).as(console.err()).isZero();

        assertThat(tree())
                .contains("90s ARGOCD_EXEC_TIMEOUT")
                .contains("here from params.yaml:5:3 controller.repo.server.timeout.seconds")
                .contains("the API server, for the UI's parameters and previews: 60s (not set)");
    }

    @Test
    void tellsByWhatAStoredAnswerIsKnown() {
        assertThat(explain("--cache")).as(console.err()).isZero();

        assertThat(tree())
                .contains("revision " + repository.head().hex())
                .contains("tracking annotation:app.kubernetes.io/instance")
                .contains("argocd app get shop --hard-refresh")
                .contains("a sidecar keeps no answers");
    }

    @Test
    void refusesNamesThatHideOneAnotherWhenStrict() {
        repository.write(
                "shop/.argocd-source.yaml",
                "plugin: {parameters: [{name: a-b, string: two}, {name: a.b, string: three}]}\n");
        assertThat(explain("--strict")).isEqualTo(3);
        assertThat(tree()).contains("warning: PARAM_A_B of parameter a-b is hidden by parameter a.b");
        assertThat(console.err()).contains("[environment.clash]");
        assertThat(explain()).isZero();
    }

    @Test
    void explainsTheSourceThatIsMeant() {
        repository.write("apps/shop.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: shop}
                spec:
                  sources:
                  - {repoURL: %1$s, path: lib, targetRevision: main, plugin: {}}
                  - {repoURL: %1$s, path: shop, targetRevision: main, plugin: {}}
                """.formatted(URL));
        assertThat(explain("--source", "2")).as(console.err()).isZero();
        assertThat(tree()).contains("source 2 of 2: ").doesNotContain("source 1 of 2");

        assertThat(explain("--source", "3")).isEqualTo(2);
        assertThat(console.err()).contains("shop has 2 sources");
    }

    @Test
    void saysThatASourceOnlyLendsItsFiles() {
        repository.write("apps/shop.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: shop}
                spec:
                  sources:
                  - {repoURL: %s, targetRevision: main, ref: values}
                """.formatted(URL));
        assertThat(explain()).as(console.err()).isZero();
        assertThat(tree()).contains("renders nothing: it lends its files to other sources as $values");
    }

    @Test
    void opensAShellOnlyOnATerminal() {
        assertThat(explain("--shell")).isEqualTo(2);
        assertThat(console.err()).contains("--shell needs a terminal");
    }

    @Test
    void asksWhichOneIsMeant() {
        repository.write("apps/other.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: other}
                spec: {source: {repoURL: %s}}
                """.formatted(URL));
        assertThat(console.run("explain", "--plugin", "plugin.yaml")).isEqualTo(2);
        assertThat(console.err()).contains("2 Applications were found; choose with --app, -f or -l: other, shop");
    }

    @Test
    void tellsWhichPluginsWereAskedAndWhatTheSourceWouldBeWithout() {
        String definition = """
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: %s}
                spec: {generate: {command: [cat, cm.yaml]}%s}
                """;
        repository
                .write("plugins/cue.yaml", definition.formatted("cue", ", discover: {find: {glob: '**/*.cue'}}"))
                .write("plugins/kapitan.yaml", definition.formatted("kapitan", ", discover: {fileName: kapitan.yml}"))
                .write("plugins/sops.yaml", definition.formatted("sops", ""))
                .write("shop/vendor/x.cue", "")
                .write("shop/Chart.yaml", "name: shop\n");
        repository.write("shop/.argocd-source.yaml", "{}\n").write("apps/shop.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: shop}
                spec: {source: {repoURL: %s, path: shop, targetRevision: main}}
                """.formatted(URL));

        assertThat(console.run("explain", "-f", "apps/shop.yaml", "--plugins-dir", "plugins"))
                .as(console.err())
                .isZero();

        assertThat(tree())
                .contains("plugin cue: no type is stated, and this is the first plugin that wants the folder")
                .contains("cue  YES  ")
                .contains("← renders this Application  (plugins/cue.yaml)")
                .contains("kapitan  not asked any more by Argo CD; would say NO")
                .contains("sops  not asked any more by Argo CD; would say ")
                .contains("no discover rule: only by name")
                .contains("without plugins: Helm (Chart.yaml)");
    }

    @Test
    void printsTheAnnouncementsWithTheApplicationsValues() {
        assertThat(params()).as(console.err()).isZero();

        assertThat(console.out()).isEqualTo("""
                NAME    TYPE              VALUE   FROM          REQUIRED   VARIABLE
                a-b     string            two     application   no         PARAM_A_B
                files   array of string           static        yes        PARAM_FILES_<n>
                """);
    }

    @Test
    void findsWhatDoesNotFitTheAnnouncements() {
        repository.write(
                "shop/.argocd-source.yaml",
                "plugin: {parameters: [{name: a-c, string: two}, {name: files, string: x}]}\n");
        assertThat(params("--check")).isEqualTo(1);

        assertThat(console.out())
                .contains("apps/shop.yaml: shop: a-c is not announced, did you mean a-b?\n")
                .contains("files is announced as array, and the Application gives a string");
        assertThat(console.err()).contains("note: ", "a-b has a default that Argo CD shows and never sends");
    }

    @Test
    void findsWhatIsRequiredAndNotGiven() {
        assertThat(params("--check", "-o", "json")).isEqualTo(1);

        assertThat(console.out())
                .contains("\"schema\" : \"remora/params-check/v1\"", "\"rule\" : \"required\"")
                .contains("\"message\" : \"files is required and not given\"");
    }

    @Test
    void showsAPatchAndWritesOnlyWhenTold() throws IOException {
        String before = Files.readString(repository.folder().resolve("apps/shop.yaml"));
        assertThat(params("--plugin-param", "files[]=prod.yaml"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).contains("+      - name: files\n+        array:\n+        - prod.yaml\n");
        assertThat(repository.folder().resolve("apps/shop.yaml")).hasContent(before);

        assertThat(params("--plugin-param", "files[]=prod.yaml", "--write"))
                .as(console.err())
                .isZero();
        assertThat(Files.readString(repository.folder().resolve("apps/shop.yaml")))
                .isEqualTo(before + "      - name: files\n        array:\n        - prod.yaml\n");
    }

    @Test
    void showsAJsonPatchToPrograms() {
        assertThat(params("--plugin-param", "a-b=three", "-o", "json"))
                .as(console.err())
                .isZero();

        assertThat(console.out()).isEqualTo("""
                        [ {
                          "op" : "replace",
                          "path" : "/spec/source/plugin/parameters/0/string",
                          "value" : "three"
                        } ]
                        """);
    }

    @Test
    void writesNothingThatTheCheckRefuses() throws IOException {
        String before = Files.readString(repository.folder().resolve("apps/shop.yaml"));
        repository.write("shop/.argocd-source.yaml", "plugin: {}\n");
        assertThat(params("--plugin-param", "fils[]=prod.yaml", "--check", "--write"))
                .isEqualTo(1);

        assertThat(console.out()).contains("fils is not announced, did you mean files?");
        assertThat(repository.folder().resolve("apps/shop.yaml")).hasContent(before);
    }

    @Test
    void writesAFileForEachApplicationWhenTold() throws IOException {
        String[] render = {"render", "-f", "apps/shop.yaml", "--plugin", "plugin.yaml", "--output-dir", "out"};
        assertThat(console.run(render)).as(console.err()).isZero();
        assertThat(repository.folder().resolve("out/shop/ConfigMap-shop.yaml")).isRegularFile();

        assertThat(console.run(
                        "render",
                        "-f",
                        "apps/shop.yaml",
                        "--plugin",
                        "plugin.yaml",
                        "--output-dir",
                        "out",
                        "--output-layout",
                        "applications"))
                .as(console.err())
                .isZero();
        assertThat(repository.folder().resolve("out/shop.yaml")).content().contains("kind: ConfigMap");
        assertThat(repository.folder().resolve("out/shop")).doesNotExist();
    }

    @Test
    void saysThatNoObjectIsWhatWasAskedFor() {
        assertThat(console.run(
                        "render", "-f", "apps/shop.yaml", "--plugin", "plugin.yaml", "--show-only", "ConfigMap/shp"))
                .isEqualTo(2);
        assertThat(console.err()).contains("no object is ConfigMap/shp, did you mean ConfigMap/shop?");
    }

    private int params(String... arguments) {
        String[] all = new String[arguments.length + 5];
        System.arraycopy(new String[] {"params", "-f", "apps/shop.yaml", "--plugin", "plugin.yaml"}, 0, all, 0, 5);
        System.arraycopy(arguments, 0, all, 5, arguments.length);
        return console.run(all);
    }
}

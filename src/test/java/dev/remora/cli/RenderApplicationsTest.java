package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.git.SourceRepository;
import dev.remora.sidecar.ServeOptions;
import dev.remora.sidecar.SidecarServer;
import dev.remora.telemetry.Log;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A repository of three Applications and one plugin, as people keep it, and what `render` makes of it.
class RenderApplicationsTest {
    private static final String URL = "https://git.example.com/team/deploy";

    @TempDir
    Path temporary;

    private SourceRepository repository;
    private FakeConsole console;

    @BeforeEach
    void makeRepository() throws IOException {
        repository = SourceRepository.in(temporary.resolve("deploy"));
        repository.git("remote", "add", "origin", "git@git.example.com:team/deploy.git");
        repository.git("remote", "add", "other", URL + ".git");
        for (String name : List.of("payments", "search", "shop")) {
            repository.write(
                    "apps/" + name + ".yaml",
                    application(name, "plugin: {env: [{name: WHO, value: $ARGOCD_APP_NAME}]}"));
            repository.write(name + "/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}\n");
        }
        repository.write(
                "plugin.yaml",
                plugin(
                        "",
                        "cat cm.yaml; printf -- '---\\n{apiVersion: v1, kind: ConfigMap, metadata: {name: told}, data: {who: \"%s\", rev: \"at %s\", kube: \"%s\"}}\\n' \"$ARGOCD_ENV_WHO\" \"$ARGOCD_APP_REVISION\" \"$KUBE_VERSION\""));
        repository.commit("first");
        Files.createDirectories(temporary.resolve("work"));
        console = new FakeConsole(repository.folder())
                .with("HOME", temporary.resolve("home").toString())
                .with("TMPDIR", temporary.resolve("work").toString());
    }

    @Test
    void printsWhatArgoCdWouldGetForOneApplication() {
        assertThat(render("-f", "apps/payments.yaml", "--kube-version=v1.30.2+k3s1"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).isEqualTo("""
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  annotations:
                    argocd.argoproj.io/tracking-id: payments:/ConfigMap:prod/payments
                  name: payments
                ---
                apiVersion: v1
                data:
                  kube: "1.30.2"
                  rev: at %s
                  who: payments
                kind: ConfigMap
                metadata:
                  annotations:
                    argocd.argoproj.io/tracking-id: payments:/ConfigMap:prod/told
                  name: told
                """.formatted(repository.head()));
        assertThat(console.err()).matches("payments: 2 objects, show, \\d+\\.\\ds\n");
    }

    @Test
    void rendersUncommittedFilesOfTheCheckoutAndSaysSo() {
        repository.write("shop/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: changed}}\n");
        repository.write("new.txt", "n");
        assertThat(render("-f", "apps/shop.yaml", "-o", "name"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).isEqualTo("configmap/changed\nconfigmap/told\n");
        assertThat(console.err()).contains("(working tree, 2 files changed)");
    }

    @Test
    void namesTheApplicationInTheJsonOfItsFailure() {
        repository.write("plugin.yaml", plugin("", "exit 9"));
        assertThat(render("-f", "apps/shop.yaml", "-o", "json")).isEqualTo(3);

        assertThat(console.out()).contains("\"schema\" : \"remora/fault/v1\"", "\"app\" : \"shop\"");
    }

    /// What the run before wrote into the checkout is not sent to plugins by the next one.
    @Test
    void leavesItsOwnOutputOutOfTheWorkingTree() {
        repository
                .write("out/index.json", "{}")
                .write("out/kept.yaml", "committed")
                .commit("with an output");
        for (int run = 0; run < 2; run++) {
            assertThat(render("--output-dir", "out")).as(console.err()).isZero();
            assertThat(repository.folder().resolve("out/shop")).isDirectory();
            assertThat(console.err()).doesNotContain("working tree");
        }
        assertThat(render("-f", "apps/shop.yaml", "-o", "name")).isZero();
        assertThat(console.err()).contains("(working tree, ");
    }

    @Test
    void rendersUnpushedRevisionsOfTheCheckout() {
        SourceRepository server = SourceRepository.in(temporary.resolve("server"));
        repository.git("push", "-q", server.url(), "main:pushed");
        repository.git("remote", "add", "server", server.url());
        repository
                .write("shop/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: second}}\n")
                .commit("second");
        repository
                .write("shop/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: third}}\n")
                .commit("third");
        repository.write("elsewhere.yaml", application("shop", "plugin: {}").replace(URL, server.url()));

        for (String revision : List.of("HEAD~1", repository.git("rev-parse", "HEAD~1"))) {
            assertThat(render("-f", "elsewhere.yaml", "-o", "name", "--revision", revision))
                    .as(console.err())
                    .isZero();
            assertThat(console.out()).startsWith("configmap/second\n");
        }
    }

    @Test
    void rendersAnotherFolderOrRevisionWhenTold() {
        SourceRepository other = SourceRepository.in(temporary.resolve("other"));
        other.write("shop/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: first}}\n")
                .commit("1");
        other.git("tag", "v1");
        other.write("shop/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: second}}\n")
                .commit("2");
        repository.write("elsewhere.yaml", application("shop", "plugin: {}").replace(URL, other.url()));
        assertThat(render("-f", "elsewhere.yaml", "-o", "name"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).startsWith("configmap/second\n");
        assertThat(console.err()).doesNotContain("working tree");
        assertThat(render("-f", "elsewhere.yaml", "-o", "name", "--revision", "v1"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).startsWith("configmap/first\n");
        assertThat(render("-f", "elsewhere.yaml", "-o", "name", "--repo", other.url() + "=" + repository.folder()))
                .as(console.err())
                .isZero();
        assertThat(console.out()).startsWith("configmap/shop\n");
        assertThat(render("-f", "elsewhere.yaml", "-o", "name", "--offline"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).startsWith("configmap/second\n");
    }

    @Test
    void warnsWhereTheCheckoutStandsForAPinnedRevision() {
        repository.write(
                "pinned.yaml", application("shop", "plugin: {}").replace("targetRevision: main", "targetRevision: v7"));
        assertThat(render("-f", "pinned.yaml", "-o", "name")).isZero();
        assertThat(console.err())
                .contains("warning: shop: the working tree stands for " + URL + ", though targetRevision is v7");
    }

    @Test
    void listsWhatItFoundWhenNobodySaysWhich() {
        assertThat(render()).isEqualTo(2);
        assertThat(console.out()).isEmpty();
        assertThat(console.err())
                .contains("3 Applications were found")
                .contains("payments  apps/payments.yaml")
                .contains("search  apps/search.yaml")
                .contains("shop  apps/shop.yaml");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --app=s* | search, shop
                    --app=search --app=payments | payments, search
                    -l team=shop | shop
                    -l team!=shop -f apps | payments, search
                    -n argocd | payments, search, shop
                    --project=default -f apps/*.yaml | payments, search, shop
                    -f apps/shop.yaml -f apps/payments.yaml | shop, payments
                    -R -f . | payments, search, shop
                    """)
    void choosesByNameLabelNamespaceProjectAndFile(String flags, String names) {
        assertThat(render((flags + " -o name").split(" "))).as(console.err()).isZero();
        String expected = Stream.of(names.split(", "))
                .map(name -> "configmap/" + name + "\nconfigmap/told\n")
                .reduce("", String::concat);
        assertThat(console.out()).isEqualTo(expected);
    }

    @Test
    void readsStandardInput() {
        console.withInput(application("shop", "plugin: {}") + "---\n" + application("search", "plugin: {}"));
        assertThat(render("-f", "-", "-o", "name")).as(console.err()).isZero();
        assertThat(console.out()).isEqualTo("configmap/shop\nconfigmap/told\nconfigmap/search\nconfigmap/told\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    -f nowhere.yaml | no such file or folder
                    -f nowhere/*.yaml | no file that matches
                    -f plugin.yaml | holds no Application
                    --app=serach | did you mean search?
                    -l team=none | none of the 3 Applications is chosen by
                    --selector=a=b=c | --selector
                    --repo=x | is not of the form URL=FOLDER
                    -f apps --keep | choose it with --app
                    -f apps/shop.yaml shop | -f renders Applications, FOLDER a bare folder
                    -f apps/shop.yaml --cluster-facts plugin.yaml | neither saved output of kubectl version
                    -f apps/shop.yaml --report html=x | no format html
                    """)
    void endsWith2ForWrongUse(String flags, String message) {
        assertThat(render(flags.split(" "))).as(console.err()).isEqualTo(2);
        assertThat(console.err()).contains(message);
    }

    @Test
    void rendersTheOthersWhenOneFailsAndEndsWithTheHighestCode() throws IOException {
        repository.write("apps/search.yaml", application("search", "plugin: {}").replace("path: search", "path: gone"));
        repository.write("apps/a.yaml", application("a", "plugin: {}").replace(URL, "file:///nowhere/at/all"));
        assertThat(render("-f", "apps", "-o", "name")).as(console.err()).isEqualTo(3);
        assertThat(console.out()).isEqualTo("configmap/payments\nconfigmap/told\nconfigmap/shop\nconfigmap/told\n");
        assertThat(console.err())
                .contains("error: search: gone: app path does not exist [path.invalid]")
                .contains("2 of 4 failed: a (git.absent), search (path.invalid)");
        repository.write("limits.yaml", plugin("remora: {limits: {timeout: 200ms}}", "sleep 20"));
        assertThat(console.run("render", "-f", "apps", "--plugin", "limits.yaml"))
                .isEqualTo(4);
    }

    @Test
    void stopsAtTheFirstFailureWhenTold() {
        repository.write(
                "apps/payments.yaml", application("payments", "plugin: {}").replace("path: payments", "path: gone"));
        assertThat(render("-f", "apps", "-o", "name", "--fail-fast", "--concurrency=1"))
                .isEqualTo(3);
        assertThat(console.out()).isEmpty();
        assertThat(console.err()).contains("1 of 3 failed").doesNotContain("shop: ");
    }

    @Test
    void tellsAllFaultsOfABrokenApplicationWithTheirPlaces() {
        repository.write("broken.yaml", """
                apiVersion: argoproj.io/v1
                kind: Application
                metadata: {name: Shop}
                spec: {source: {path: 7}, sorces: []}
                """);
        assertThat(render("-f", "broken.yaml")).isEqualTo(3);
        assertThat(console.err())
                .contains("broken.yaml:1:")
                .contains("broken.yaml:3:")
                .contains("spec.sorces is unknown")
                .contains("spec.source.path: cannot unmarshal number")
                .contains("repoURL is missing");
    }

    @Test
    void appliesTheOverridesOfTheFolder() {
        repository.write("shop/.argocd-source.yaml", "plugin: {env: [{name: WHO, value: all}]}\n");
        repository.write(
                "shop/.argocd-source-shop.yaml", "plugin: {env: [{name: WHO, value: only-$ARGOCD_APP_NAME}]}\n");
        assertThat(render("-f", "apps/shop.yaml")).as(console.err()).isZero();
        assertThat(console.out()).contains("who: only-shop");
    }

    @Test
    void rendersSeveralSourcesInOrderAndWarnsOfDuplicates() {
        repository.write("many.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: many}
                spec:
                  destination: {namespace: prod}
                  sources:
                  - {repoURL: "%1$s", path: shop, plugin: {env: [{name: WHO, value: first}]}}
                  - {repoURL: "%1$s", ref: values}
                  - {repoURL: "%1$s", path: "", plugin: {}}
                  - {repoURL: "%1$s", path: search, plugin: {env: [{name: WHO, value: $values/x}]}}
                """.formatted(URL));
        assertThat(render("-f", "many.yaml", "-o", "name")).as(console.err()).isZero();
        assertThat(console.out()).isEqualTo("configmap/shop\nconfigmap/told\nconfigmap/search\nconfigmap/told\n");
        assertThat(console.err())
                .contains("warning: many: $values becomes nothing, as in Argo CD")
                .contains("ConfigMap/told is rendered twice");
    }

    @Test
    void laysRefSourcesBesideAPluginThatAsksForThem() {
        SourceRepository values = SourceRepository.in(temporary.resolve("values"));
        values.write("prod/v.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: from-values}}\n")
                .commit("1");
        repository.write("refs.yaml", plugin("remora: {refs: true, sandbox: {}}", """
                cat "$ARGOCD_ENV_FILE"; echo ---; cat "$PARAM_FILE"; echo ---; cat "$REMORA_REF_MY_VALUES/prod/v.yaml"
                (echo x > "$REMORA_REF_MY_VALUES/prod/v.yaml") 2>/dev/null && echo '---' && echo '{apiVersion: v1, kind: ConfigMap, metadata: {name: written}}'
                true"""));
        repository.write("withref.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: withref}
                spec:
                  sources:
                  - repoURL: "%s"
                    path: shop
                    plugin:
                      env: [{name: FILE, value: $my-values/prod/v.yaml}]
                      parameters: [{name: file, string: "${my-values}/prod/v.yaml"}]
                  - {repoURL: "%s", ref: my-values}
                """.formatted(URL, values.url()));
        assertThat(console.run("render", "-f", "withref.yaml", "-o", "name", "--plugin", "refs.yaml"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).isEqualTo("configmap/from-values\n".repeat(3));
    }

    @Test
    void refusesRefsOverAPlainPluginServer() throws IOException {
        Path sockets = Files.createDirectories(temporary.resolve("s"));
        Path work = Files.createDirectories(temporary.resolve("w"));
        repository.write("withref.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: withref}
                spec:
                  sources:
                  - {repoURL: "%1$s", path: shop, plugin: {env: [{name: FILE, value: $values/v.yaml}]}}
                  - {repoURL: "%1$s", ref: values}
                """.formatted(URL));
        try (var _ = SidecarServer.start(ServeOptions.at(repository.folder(), sockets, work), Log.silent())) {
            assertThat(console.run("render", "-f", "withref.yaml", "--plugins-dir", sockets.toString()))
                    .isEqualTo(3);
        }
        assertThat(console.err())
                .contains("$values cannot reach the plugin server")
                .contains("carries one repository");
    }

    @Test
    void choosesAmongThePluginsOfAFolderAndTellsWhoElseWouldTakeIt() {
        repository
                .write(
                        "plugins/b.yaml",
                        plugin("", "echo '{kind: ConfigMap, apiVersion: v1, metadata: {name: b}}'")
                                .replace("name: show", "name: b"))
                .write("plugins/a/plugin.yaml", plugin("", "cat cm.yaml").replace("name: show", "name: a"))
                .write("open.yaml", application("shop", ""));

        assertThat(console.run("render", "-f", "open.yaml", "-o", "name", "--plugins-dir", "plugins"))
                .as(console.err())
                .isZero();

        assertThat(console.out()).isEqualTo("configmap/shop\n");
        assertThat(console.err()).contains("b wants the folder as well; a gets it");
    }

    @Test
    void rendersAPlainDirectoryWithTheRepoServersLimit() {
        repository
                .write("plain.yaml", application("shop", "directory: {recurse: true, exclude: 'x/*'}"))
                .write("shop/sub/b.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n")
                .write("shop/x/c.yaml", "a: [\n");

        assertThat(console.run("render", "-f", "plain.yaml", "-o", "name"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).isEqualTo("configmap/shop\nconfigmap/b\n");

        assertThat(console.run("render", "-f", "plain.yaml", "--max-combined-directory-manifests-size", "100"))
                .isEqualTo(4);
        assertThat(console.err())
                .contains("exceeded max combined manifest file size")
                .contains("shop/sub/b.yaml");
        assertThat(console.run("render", "-f", "plain.yaml", "--max-combined-directory-manifests-size", "much"))
                .isEqualTo(2);
    }

    @Test
    void saysWhichSourcesItDoesNotRenderYet() {
        repository.write("shop/Chart.yaml", "name: x\n").write("open.yaml", application("shop", ""));

        assertThat(console.run("render", "-f", "open.yaml")).isEqualTo(3);

        assertThat(console.err()).contains("Helm (Chart.yaml)").contains("[source.not-yet]");
    }

    @Test
    void writesAFolderForEachApplicationAndAReport() throws IOException {
        assertThat(render("--output-dir", "out", "--report", "json=report.json"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).isEmpty();
        assertThat(repository.folder().resolve("out/shop/ConfigMap-told.yaml"))
                .content()
                .contains("who: shop");
        assertThat(repository.folder().resolve("out/index.json")).content().contains("\"applications\" : 3");
        assertThat(repository.folder().resolve("report.json"))
                .content()
                .contains("\"schema\" : \"remora/render/v1\"")
                .contains("\"app\" : \"payments\"")
                .contains("\"failed\" : 0");
    }

    @Test
    void marksObjectsAsArgoCdIsConfigured() {
        assertThat(render(
                        "-f",
                        "apps/shop.yaml",
                        "--tracking-method=annotation+label",
                        "--instance-label-key=a/b",
                        "--installation-id=one"))
                .isZero();
        assertThat(console.out())
                .contains("argocd.argoproj.io/installation-id: one")
                .contains("a/b: shop")
                .contains("tracking-id: shop:/ConfigMap:prod/shop");
    }

    @Test
    void namesAnApplicationOfAnotherNamespaceAsArgoCdDoes() {
        repository.write(
                "team.yaml", application("shop", "plugin: {}").replace("namespace: argocd", "namespace: team"));
        assertThat(render("-f", "team.yaml")).isZero();
        assertThat(console.out()).contains("tracking-id: team_shop:/ConfigMap:prod/shop");
        assertThat(render("-f", "team.yaml", "--control-plane-namespace=team")).isZero();
        assertThat(console.out()).contains("tracking-id: shop:/ConfigMap:prod/shop");
    }

    @Test
    void leavesNoFilesOfOneApplicationBehind() throws IOException {
        assertThat(render("-f", "apps")).isZero();
        try (Stream<Path> left = Files.walk(temporary.resolve("work"))) {
            assertThat(left.filter(Files::isRegularFile)).allMatch(file -> file.endsWith("lock"));
        }
        assertThat(repository.git("status", "--porcelain")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    path: ../../etc | path.outside | app path outside root
                    path: shop/../../x | path.outside | app path outside root
                    path: /etc | path.invalid | app path is absolute
                    path: "shop\\nINJECTED: line" | path.invalid | shop\\x0aINJECTED: line: app path does not exist
                    path: "shop\\0x" | path.invalid | shop\\x00x: Nul character not allowed
                    path: plugin.yaml | path.invalid | app path is not a directory
                    targetRevision: "--upload-pack=touch x" | git.revision | --upload-pack=touch x
                    targetRevision: "main\\nx" | git.revision | unable to resolve
                    repoURL: "ext::sh -c touch% x" | git.url | is refused
                    repoURL: "https://git.example.com/a\\nb" | git.url | control character
                    chart: redis | source.not-yet | a Helm chart (redis)
                    """)
    void refusesHostileSources(String field, String code, String message) {
        SourceRepository other = SourceRepository.in(temporary.resolve("other"));
        other.write("shop/cm.yaml", "a: 1\n").write("plugin.yaml", "a: 1\n").commit("1");
        String key = field.substring(0, field.indexOf(':'));
        String text = application("shop", "plugin: {}").replace(URL, other.url());
        String hostile = text.lines().anyMatch(line -> line.strip().startsWith(key + ":"))
                ? text.replaceAll("(?m)^    " + key + ": .*$", java.util.regex.Matcher.quoteReplacement("    " + field))
                : text.replace("    path: shop", "    path: shop\n    " + field);
        repository.write("hostile.yaml", hostile);
        assertThat(render("-f", "hostile.yaml")).as(console.err()).isEqualTo(3);
        assertThat(console.err()).contains("[" + code + "]").contains(message);
        assertThat(console.out()).isEmpty();
        assertThat(repository.folder().resolve("x")).doesNotExist();
    }

    @Test
    void refusesTenThousandSources() {
        String source = "  - {repoURL: \"" + URL + "\", path: shop}\n";
        repository.write("huge.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: huge}
                spec:
                  sources:
                """ + source.repeat(10_000));
        assertThat(render("-f", "huge.yaml")).isEqualTo(3);
        assertThat(console.err()).contains("spec.sources has 10000 sources").contains("at most 1000");
    }

    @Test
    void refusesALinkThatLeavesTheRepository() throws IOException {
        Files.createSymbolicLink(repository.folder().resolve("search/out"), Path.of("../../x"));
        assertThat(render("-f", "apps/shop.yaml")).isEqualTo(3);
        assertThat(console.err()).contains("repository contains out-of-bounds symlinks. file: search/out");
    }

    @Test
    void takesDollarTricksOfAnEnvAsArgoCdDoes() {
        repository.write(
                "apps/shop.yaml",
                application("shop", "plugin: {env: [{name: WHO, value: '$(id)$$ARGOCD_APP_NAME${HOME}`id`'}]}"));
        assertThat(render("-f", "apps/shop.yaml")).as(console.err()).isZero();
        assertThat(console.out()).contains("who: \"$(id)$ARGOCD_APP_NAME`id`");
    }

    @Test
    void keepsTheOrderOfManyWhoeverIsReadyFirst() throws IOException {
        repository.write(
                "plugin.yaml",
                plugin(
                        "",
                        "case $ARGOCD_APP_NAME in a0*) sleep 0.3;; esac; echo \"{apiVersion: v1, kind: ConfigMap, metadata: {name: $ARGOCD_APP_NAME}}\""));
        StringBuilder all = new StringBuilder();
        List<String> names = IntStream.range(0, 24).mapToObj("a%02d"::formatted).toList();
        names.forEach(name ->
                all.append("---\n").append(application(name, "plugin: {}").replace("path: " + name, "path: shop")));
        repository.write("many.yaml", all.toString());
        assertThat(render("-f", "many.yaml", "-o", "name", "--concurrency=4"))
                .as(console.err())
                .isZero();
        assertThat(console.out().lines())
                .containsExactlyElementsOf(
                        names.stream().map(name -> "configmap/" + name).toList());
    }

    private int render(String... flags) {
        return console.run(Stream.concat(Stream.of("render", "--plugin", "plugin.yaml"), Stream.of(flags))
                .toArray(String[]::new));
    }

    private static String application(String name, String plugin) {
        return """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: %1$s, namespace: argocd, labels: {team: %1$s}}
                spec:
                  destination: {server: https://kubernetes.default.svc, namespace: prod}
                  source:
                    repoURL: %2$s
                    path: %1$s
                    targetRevision: main
                    %3$s
                """.formatted(name, URL, plugin);
    }

    private static String plugin(String remora, String script) {
        return """
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: show}
                spec:
                  discover: {fileName: '*'}
                  generate:
                    command: [sh, -c]
                    args:
                    - |
                %s
                %s
                """.formatted(script.indent(6).stripTrailing(), remora);
    }
}

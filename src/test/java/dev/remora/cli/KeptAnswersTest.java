package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.git.SourceRepository;
import dev.remora.sidecar.ServeOptions;
import dev.remora.sidecar.SidecarServer;
import dev.remora.telemetry.Log;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `render -f` with answers kept: when the plugin runs, and when it does not. The plugin counts its runs.
class KeptAnswersTest {
    private static final String URL = "https://git.example.com/team/deploy";
    private static final String SCRIPT = "echo run >> \"$RUNS\"; cat cm.yaml";

    @TempDir
    Path temporary;

    private SourceRepository repository;
    private FakeConsole console;

    @BeforeEach
    void makeRepository() throws IOException {
        repository = SourceRepository.in(temporary.resolve("deploy"));
        repository.git("remote", "add", "origin", URL + ".git");
        for (String name : List.of("payments", "search")) {
            repository.write("apps/" + name + ".yaml", application(name, name, "plugin: {}"));
            repository.write(name + "/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}\n");
        }
        repository.write("docs/readme.md", "first");
        plugin("", SCRIPT);
        repository.commit("first");
        Files.createDirectories(temporary.resolve("work"));
        console = new FakeConsole(repository.folder())
                .with("HOME", temporary.resolve("home").toString())
                .with("TMPDIR", temporary.resolve("work").toString())
                .with("RUNS", temporary.resolve("runs").toString());
    }

    private void plugin(String remora, String script) {
        write(temporary.resolve("plugin.yaml"), """
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: show}
                spec:
                  generate:
                    command: [sh, -c]
                    args:
                    - |
                      %s
                %s
                """.formatted(script, remora));
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String application(String name, String path, String plugin) {
        return """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: %s, namespace: argocd}
                spec:
                  destination: {server: x, namespace: prod}
                  source:
                    repoURL: %s
                    path: %s
                    targetRevision: main
                    %s
                """.formatted(
                        name,
                        URL,
                        path,
                        plugin.replace("plugin: {", "plugin: {name: show, ").replace(", }", "}"));
    }

    private int command(String command, String... flags) {
        return console.run(Stream.concat(
                        Stream.of(
                                command,
                                "--plugin",
                                temporary.resolve("plugin.yaml").toString()),
                        Stream.of(flags))
                .toArray(String[]::new));
    }

    private int render(String... flags) {
        return command("render", flags);
    }

    /// With a folder, of the Application `payments`.
    private String kept(String... flags) {
        assertThat(render(Stream.concat(Stream.of("-f", "apps/payments.yaml", "--cache-dir", cache()), Stream.of(flags))
                        .toArray(String[]::new)))
                .as(console.err())
                .isZero();
        return console.out();
    }

    private String cache() {
        return temporary.resolve("cache").toString();
    }

    private int runs() {
        try {
            Path file = temporary.resolve("runs");
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(cache()))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void givesTheAnswerOfAnEarlierRunAndSaysHowOldItIs() throws IOException {
        String first = kept("--report", "json=" + temporary.resolve("first.json"));
        assertThat(console.err()).doesNotContain("kept answer");
        String second = kept("--report", "json=" + temporary.resolve("second.json"));

        assertThat(second).isEqualTo(first).contains("name: payments");
        assertThat(runs()).isEqualTo(1);
        assertThat(console.err()).matches("(?s)payments: 1 object, show, [0-9.]+s \\(.*kept answer, \\d+s old\\)\n");
        assertThat(Files.readString(temporary.resolve("first.json"))).doesNotContain("cachedSeconds");
        assertThat(Files.readString(temporary.resolve("second.json"))).contains("\"cachedSeconds\" : ");
        assertThat(temporary.resolve("home/.config/remora/cache.key")).exists();
        assertThat(entries())
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry.toString()).doesNotContain("payments"));
    }

    @Test
    void keepsNothingOnDiskUnlessAsked() throws IOException {
        assertThat(render("-f", "apps/payments.yaml")).isZero();
        assertThat(render("-f", "apps/payments.yaml")).isZero();

        assertThat(runs()).isEqualTo(2);
        assertThat(temporary.resolve("home/.config")).doesNotExist();
    }

    @Test
    void takesTheFolderFromTheEnvironmentButNotFromTheRepository() {
        repository.write(".remora.yaml", "cache-dir: " + cache() + "\n");
        assertThat(render("-f", "apps/payments.yaml")).isNotZero();
        assertThat(Path.of(cache())).doesNotExist();
        write(repository.folder().resolve(".remora.yaml"), "{}\n");

        console.with("REMORA_CACHE_DIR", cache());
        assertThat(render("-f", "apps/payments.yaml")).as(console.err()).isZero();
        assertThat(render("-f", "apps/payments.yaml")).isZero();
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void asksAgainWhenAFileOfTheRepositoryChanged() {
        kept();
        repository.write("payments/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: other}}\n");
        assertThat(kept()).contains("name: other");
        repository.write("docs/readme.md", "second");
        kept();
        repository.git("checkout", "-q", ".");
        assertThat(kept()).contains("name: payments");

        assertThat(runs()).isEqualTo(3);
    }

    @Test
    void asksAgainForAFileThatBecameExecutableOrAttributesThatChanged() {
        kept();
        assertThat(repository.folder().resolve("payments/cm.yaml").toFile().setExecutable(true))
                .isTrue();
        kept();
        repository.write("docs/.gitattributes", "* text eol=crlf\n");
        kept();

        assertThat(runs()).isEqualTo(3);
    }

    @Test
    void asksOnlyForTheFilesThatTheDefinitionReads() {
        plugin("remora: {inputs: ['{app}/**']}", SCRIPT);
        kept();
        repository.write("docs/readme.md", "second");
        repository.write("search/cm.yaml", "changed");
        kept();
        assertThat(runs()).isEqualTo(1);

        repository.write("payments/more.yaml", "x");
        kept();
        assertThat(runs()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--kube-version=1.31.0",
                "--api-versions=batch/v1",
                "--argocd=privileges",
                "--no-sandbox",
                "--exclude=docs/*",
                "--submodules=false"
            })
    void asksAgainWithAnotherSetting(String flag) {
        kept();
        kept(flag);
        assertThat(runs()).isEqualTo(2);
        kept(flag);
        kept();
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void asksAgainWithAnotherVariableOrTool() throws IOException {
        kept();
        console.with("COLOUR", "red");
        kept();
        assertThat(runs()).isEqualTo(2);
        console.with("SHLVL", "4").with("OLDPWD", "/").with("_", "/bin/remora");
        kept();
        assertThat(runs()).isEqualTo(2);

        Path tools = Files.createDirectories(temporary.resolve("tools"));
        Path tool = tools.resolve("cat");
        write(tool, "#!/bin/sh\nexec /bin/cat \"$@\"\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
        console.with("PATH", tools + ":" + System.getenv("PATH"));
        kept();
        kept();
        assertThat(runs()).isEqualTo(3);
        write(tool, "#!/bin/sh\n# another version\nexec /bin/cat \"$@\"\n");
        kept();
        assertThat(runs()).isEqualTo(4);
    }

    @Test
    void asksAgainWithAnotherDefinitionAndAnotherApplication() {
        kept();
        plugin("", SCRIPT + " # changed");
        kept();
        assertThat(runs()).isEqualTo(2);
        repository.write(
                "apps/payments.yaml", application("payments", "payments", "plugin: {env: [{name: A, value: b}]}"));
        kept();
        assertThat(runs()).isEqualTo(3);
        repository.write(
                "apps/payments.yaml", application("billing", "payments", "plugin: {env: [{name: A, value: b}]}"));
        kept();
        assertThat(runs()).isEqualTo(4);
    }

    @Test
    void keepsNoFailure() throws IOException {
        plugin("", "echo run >> \"$RUNS\"; test -e \"$RUNS.good\" && cat cm.yaml");
        assertThat(render("-f", "apps/payments.yaml", "--cache-dir", cache())).isEqualTo(3);
        assertThat(entries()).isEmpty();
        write(temporary.resolve("runs.good"), "");

        kept();
        kept();
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void keepsNothingOfAnApplicationThatSaysSo() throws IOException {
        repository.write(
                "apps/payments.yaml",
                application("payments", "payments", "plugin: {env: [{name: REMORA_NO_CACHE, value: \"1\"}]}"));
        kept();
        kept();

        assertThat(runs()).isEqualTo(2);
        assertThat(entries()).isEmpty();
    }

    @Test
    void keepsNothingThatWasMadeWithALentLogin() throws IOException {
        plugin("", SCRIPT);
        write(
                temporary.resolve("plugin.yaml"),
                Files.readString(temporary.resolve("plugin.yaml"))
                        .replace("spec:\n", "spec:\n  provideGitCreds: true\n"));
        repository.write("login.yaml", """
                apiVersion: v1
                kind: Secret
                metadata: {name: r, labels: {argocd.argoproj.io/secret-type: repository}}
                stringData: {type: git, url: "%s", username: me, password: hunter22}
                """.formatted(URL));
        kept("--credentials", "login.yaml");
        kept("--credentials", "login.yaml");
        assertThat(runs()).isEqualTo(2);
        assertThat(entries()).isEmpty();

        kept();
        kept();
        assertThat(runs()).as("without a login there is nothing to lend").isEqualTo(3);
    }

    @Test
    void makesItAnewWhenToldAndKeepsThat() {
        plugin(
                "",
                "echo run >> \"$RUNS\"; printf '{apiVersion: v1, kind: ConfigMap, metadata: {name: n%s}}' $(wc -l < \"$RUNS\")");
        assertThat(kept()).contains("name: n1");
        assertThat(kept("--hard-refresh")).contains("name: n2");
        assertThat(kept()).contains("name: n2");
    }

    @Test
    void givesNoAnswerThatIsOlderThanTheDefinitionAllows() {
        plugin("remora: {cache: {maxAge: 1ms}}", SCRIPT);
        kept();
        kept();
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void runsThePluginWhereItsFolderIsKept() {
        kept();
        kept("--keep=" + temporary.resolve("work-folder"));
        assertThat(runs()).isEqualTo(2);
        assertThat(temporary.resolve("work-folder/work/payments/cm.yaml")).exists();
    }

    @Test
    void takesADamagedEntryForNoneAndWarns() throws IOException {
        String good = kept();
        for (Path entry : entries()) {
            Files.write(
                    entry,
                    "RMRA1\nfrom somewhere else, and long enough to be one"
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        }
        assertThat(kept()).isEqualTo(good);
        assertThat(console.err())
                .contains("warning: payments: the kept answer ")
                .contains("is not used: it is damaged");
        assertThat(runs()).isEqualTo(2);
        kept();
        assertThat(console.err()).doesNotContain("warning");
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void refusesAKeyThatOthersMayReadBeforeAnythingRuns() throws IOException {
        kept();
        Path key = temporary.resolve("home/.config/remora/cache.key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(render("-f", "apps/payments.yaml", "--cache-dir", cache())).isEqualTo(5);
        assertThat(console.err()).contains("chmod 600 " + key).contains("[cache.key]");
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void keepsNoAnswerOfAServer() throws IOException {
        Path config = Files.createDirectories(temporary.resolve("config"));
        plugin("", SCRIPT.replace("$RUNS", temporary.resolve("runs").toString()));
        Files.copy(temporary.resolve("plugin.yaml"), config.resolve("plugin.yaml"));
        Path sockets = Files.createDirectories(temporary.resolve("sockets"));
        Path served = Files.createDirectories(temporary.resolve("served"));
        try (var _ = SidecarServer.start(ServeOptions.at(config, sockets, served), Log.silent())) {
            for (int i = 0; i < 2; i++) {
                assertThat(console.run(
                                "render",
                                "--plugin",
                                "unix:" + sockets.resolve("show.sock"),
                                "-f",
                                "apps/payments.yaml",
                                "--cache-dir",
                                cache()))
                        .as(console.err())
                        .isZero();
            }
        }
        assertThat(runs()).isEqualTo(2);
        assertThat(entries()).isEmpty();
    }

    @Test
    void sharesOneRenderAmongApplicationsOnlyWhereTheyReallyAskTheSame() {
        String two = application("one", "payments", "plugin: {}") + "---\n"
                + application("two", "payments", "plugin: {}") + "---\n"
                + application("three", "search", "plugin: {}");
        repository.write("apps/more.yaml", two);
        assertThat(render("-f", "apps/more.yaml", "--output-dir", "out"))
                .as(console.err())
                .isZero();
        assertThat(runs()).as("each is told its name").isEqualTo(3);

        plugin("remora: {environment: {allow: [PATH, RUNS]}, cache: {ignore: [ARGOCD_APP_NAME, RUNS]}}", SCRIPT);
        assertThat(render("-f", "apps/more.yaml", "--output-dir", "out", "-o", "name"))
                .as(console.err())
                .isZero();
        assertThat(runs()).as("one and two are the same").isEqualTo(3 + 2);
        assertThat(console.err()).containsOnlyOnce("kept answer");
        assertThat(repository.folder().resolve("out/one/ConfigMap-payments.yaml"))
                .content()
                .contains("one:/ConfigMap");
        assertThat(repository.folder().resolve("out/two/ConfigMap-payments.yaml"))
                .content()
                .contains("two:/ConfigMap");
        assertThat(repository.folder().resolve("out/three/ConfigMap-search.yaml"))
                .exists();
    }

    private String explained(String... flags) {
        assertThat(command(
                        "explain",
                        Stream.concat(
                                        Stream.of("-f", "apps/payments.yaml", "--cache", "--cache-dir", cache()),
                                        Stream.of(flags))
                                .toArray(String[]::new)))
                .as(console.err())
                .isZero();
        return console.out();
    }

    @Test
    void explanationsNeverComeFromAKeptAnswerButTellOfIt() {
        assertThat(explained()).contains("no answer for this source is kept in " + cache());
        assertThat(Path.of(cache())).as("explaining keeps nothing").doesNotExist();
        kept();
        assertThat(explained())
                .contains("render would give the answer kept in " + cache())
                .contains("├─ generate: sh -c ");
        assertThat(runs()).isEqualTo(3);

        repository.write("payments/cm.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: other}}\n");
        String tree = explained("--kube-version=1.31.0");
        assertThat(tree)
                .contains("render would make a new answer; against the last one kept in " + cache() + " these differ")
                .contains("─ files\n")
                .contains("─ variable KUBE_VERSION\n")
                .doesNotContain("─ plugin\n");
        assertThat(explained("--kube-version=1.31.0", "-o", "json"))
                .contains("\"outcome\" : \"miss\"")
                .containsPattern("\"differs\" : \\[\\s*\"files\",\\s*\"variable KUBE_VERSION\"");
        kept("--kube-version=1.31.0");
        assertThat(explained("--kube-version=1.31.0", "-o", "json")).contains("\"outcome\" : \"hit\"");
        assertThat(explained()).contains("─ variable KUBE_VERSION\n");
    }
}

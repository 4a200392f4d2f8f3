package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What people and CI see of `render`, `explain` and `params`: streams, exit codes, files.
class FolderCommandsTest {
    private static final String OBJECT = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";

    @TempDir
    Path folder;

    private FakeConsole console;

    @BeforeEach
    void makeFolder() throws IOException {
        Files.createDirectories(folder.resolve("app/sub"));
        Files.writeString(folder.resolve("app/a.yaml"), OBJECT + "\n");
        Files.writeString(folder.resolve("app/sub/b.txt"), "b\n");
        console = new FakeConsole(folder).with("TMPDIR", folder.toString());
    }

    @Test
    void printsManifestsOnStandardOutAndTheSummaryOnStandardError() throws IOException {
        plugin("cat a.yaml");
        assertThat(render()).isZero();
        assertThat(console.out()).isEqualTo("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n");
        assertThat(console.err()).matches("app: 1 object, p, \\d+\\.\\ds\n");
    }

    @Test
    void isSilentBesideTheResultWhenQuiet() throws IOException {
        plugin("cat a.yaml");
        assertThat(render("-q")).isZero();
        assertThat(console.err()).isEmpty();
    }

    /// Command; exit code; fault code.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    echo oops >&2; exit 7 | 3 | command.failed
                    true | 3 | render.empty-output
                    echo just text | 3 | output.not-object
                    sleep 30 | 4 | call.deadline
                    printf 'a: \\377' | 3 | output.not-utf8
                    """)
    void endsWithTheExitCodeOfTheFaultsKind(String command, int exit, String code) throws IOException {
        plugin(command);
        assertThat(render("--timeout=1s")).as(console.err()).isEqualTo(exit);
        assertThat(console.out()).isEmpty();
        assertThat(console.err()).contains("[" + code + "]");
    }

    @Test
    void endsWith5WhenTheProgramIsMissing() throws IOException {
        write("plugin.yaml", definition("generate: {command: [no-such-program-here]}"));
        assertThat(render()).isEqualTo(5);
        assertThat(console.err()).contains("no-such-program-here").contains("[command.start]");
    }

    @Test
    void endsWith3AndEveryLineWhenTheDefinitionIsWrong() throws IOException {
        write("plugin.yaml", "kind: Other\nmetadata: {name: p}\nspec: {generate: {command: sh}}\n");
        assertThat(render()).isEqualTo(3);
        assertThat(console.err())
                .contains("plugin.yaml:1")
                .contains("plugin.yaml:3")
                .contains("[plugin.invalid]");
    }

    @ParameterizedTest
    @CsvSource({
        "render nowhere --plugin plugin.yaml, nowhere is no folder",
        "render app --plugin nowhere.yaml, --plugin nowhere.yaml cannot be read: no such file",
        "render app, --plugin is missing",
        "render app --plugin a --plugin b, one --plugin is enough",
        "render app --plugin a --compare-hosts, needs --plugin twice",
        "render app --plugin plugin.yaml --plugin-env X, not of the form NAME=VALUE",
        "render app --plugin plugin.yaml --plugin-param X, not of the form K=V",
        "render app --plugin plugin.yaml --kube-version x, could not parse kubernetes version",
        "render app --plugin plugin.yaml --argocd=emtpy-output, did you mean empty-output?",
        "--plugin plugin.yaml render app, --plugin stands before the command; flags come after it",
        "render app --plugin plugin.yaml --path nowhere, --path nowhere is no folder in app",
        "explain render.emty-output, did you mean render.empty-output? The codes are",
        "explain nothing, nothing is neither a folder nor a fault's code; the codes are"
    })
    void endsWith2ForWrongUse(String line, String message) throws IOException {
        plugin("cat a.yaml");
        assertThat(console.run(line.split(" "))).as(console.err()).isEqualTo(2);
        assertThat(console.err()).contains(message);
    }

    @Test
    void printsTheFaultAsJsonWithTheApplication() throws IOException {
        plugin("true");
        assertThat(render("-o", "json", "--app-name=payments")).isEqualTo(3);
        assertThat(console.out())
                .contains("\"code\" : \"render.empty-output\"")
                .contains("\"app\" : \"payments\"")
                .contains("\"kind\" : \"USER\"");
    }

    @Test
    void masksSecretsOnATerminalUnlessToldOtherwise() throws IOException {
        plugin("echo '{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {p: hunter22}}'");
        assertThat(render()).isZero();
        assertThat(console.out()).contains("hunter22");
        assertThat(render("--mask")).isZero();
        assertThat(console.out()).doesNotContain("hunter22");
        console.onTerminal();
        assertThat(render()).isZero();
        assertThat(console.out()).doesNotContain("hunter22");
        assertThat(render("--show-secrets")).isZero();
        assertThat(console.out()).contains("hunter22");
    }

    @Test
    void masksSecretValuesInFaults() throws IOException {
        plugin("echo \"login with $ARGOCD_ENV_DB_PASSWORD failed\" >&2; exit 1");
        assertThat(render("--plugin-env", "DB_PASSWORD=hunter22", "-o", "json")).isEqualTo(3);
        assertThat(console.err()).contains("login with ******").doesNotContain("hunter22");
        assertThat(console.out()).doesNotContain("hunter22");
    }

    @Test
    void neverWritesIntoTheFolder() throws IOException {
        plugin("echo x > new; echo y > a.yaml; rm -r sub; echo '" + OBJECT + "'");
        assertThat(render()).isZero();
        assertThat(folder.resolve("app/new")).doesNotExist();
        assertThat(folder.resolve("app/a.yaml")).hasContent(OBJECT);
        assertThat(folder.resolve("app/sub/b.txt")).exists();
    }

    @Test
    void leavesNoWorkFolderBehind() throws IOException {
        plugin("cat a.yaml");
        assertThat(render()).isZero();
        String own = "_remora-" + Files.getAttribute(folder, "unix:uid");
        try (Stream<Path> left = Files.walk(folder.resolve(own))) {
            assertThat(left.map(folder::relativize).map(Path::toString)).containsExactlyInAnyOrder(own, own + "/lock");
        }
    }

    @Test
    void keepsTheWorkFolderWithAScriptThatRepeatsTheCommand() throws Exception {
        write(
                "plugin.yaml",
                definition("init: {command: [sh, -c, 'echo made > made']}\n"
                        + "  generate: {command: [sh, -c, 'cat made; echo \"$ARGOCD_ENV_TEXT\" >&2; cat ../a.yaml']}"));
        assertThat(render("--path=sub", "--keep=kept", "--plugin-env", "TEXT=it's\ntwo lines $$HOME"))
                .isEqualTo(3);
        assertThat(console.err()).contains("kept kept; run ./kept/replay.sh generate");
        assertThat(Files.getPosixFilePermissions(folder.resolve("kept/replay.sh")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(folder.resolve("kept/work/sub/made")).hasContent("made");
        assertThat(replayed("generate")).isEqualTo("made\nit's\ntwo lines $HOME\n" + OBJECT + "\n");
        assertThat(replayed("nothing")).contains("usage:").contains("init|generate");
    }

    @Test
    void refusesToKeepInAFolderThatIsNotEmpty() throws IOException {
        plugin("cat a.yaml");
        assertThat(render("--keep=app")).isEqualTo(2);
        assertThat(console.err()).contains("--keep: app is not empty");
    }

    @Test
    void tellsTimingsAndWritesAReport() throws IOException {
        plugin("cat a.yaml");
        assertThat(render("--timings", "--report", "json=report.json")).isZero();
        assertThat(console.err())
                .containsPattern("unpack \\d\\.\\d  generate \\d\\.\\d  check \\d\\.\\d  budget left \\d+\\.\\ds");
        assertThat(folder.resolve("report.json"))
                .content()
                .contains("\"schema\" : \"remora/render/v1\"")
                .contains("\"names\" : [ \"configmap/a\" ]");
    }

    @Test
    void readsSettingsOfTheRepositoryFile() throws IOException {
        plugin("printf '{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}' \"$ARGOCD_ENV_N\"");
        Files.createDirectory(folder.resolve("app/.git"));
        write("app/.remora.yaml", "plugin: ../plugin.yaml\nrender:\n  plugin-env: [N=fromfile]\n  output: name\n");
        assertThat(console.run("render", "app")).as(console.err()).isZero();
        assertThat(console.out()).isEqualTo("configmap/fromfile\n");
        assertThat(console.run("render", "-C", "app/sub", "."))
                .as(console.err())
                .isZero();
        assertThat(console.run("render", "-C", "app", ".")).as(console.err()).isZero();
        write("app/.remora.yaml", "plgin: plugin.yaml\n");
        assertThat(console.run("render", "app")).isEqualTo(2);
        assertThat(console.err()).contains(".remora.yaml:1:1: unknown setting plgin, did you mean plugin?");
    }

    @Test
    void explainsAYesANoAndWhatCameClosest() throws IOException {
        write("plugin.yaml", discovering("fileName: './a.y*ml'"));
        assertThat(explain()).isZero();
        assertThat(console.out())
                .contains("rule spec.discover.fileName: ./a.y*ml")
                .contains("YES  ")
                .contains("a.yaml");
        write("plugin.yaml", discovering("find: {glob: '**/b.text'}"));
        assertThat(explain()).isZero();
        assertThat(console.out()).contains("NO   ").contains("closest: sub/b.txt");
        plugin("cat a.yaml");
        assertThat(explain()).isZero();
        assertThat(console.out()).contains("BY NAME  ");
    }

    @Test
    void explainShowsWhatWasReadAsInputsAndForTheAnnotation() throws IOException {
        Files.createDirectories(folder.resolve("app/lib"));
        Files.writeString(folder.resolve("app/lib/c.yaml"), OBJECT.replace("name: a", "name: c"));
        write(
                "plugin.yaml",
                definition("generate: {command: [cat, ../lib/c.yaml]}") + "remora: {inputs: ['{app}/**']}\n");

        assertThat(explain("--path=sub", "--reads")).as(console.err()).isZero();
        assertThat(console.out())
                .contains("opened 1 of 3 files")
                .contains("lib/c.yaml\n")
                .contains("remora: {inputs: [\"{app}/**\", \"/lib/c.yaml\"]}")
                .contains("argocd.argoproj.io/manifest-generate-paths: .;/lib/c.yaml")
                .contains("remora.inputs leaves out what was opened: lib/c.yaml");
        assertThat(explain("--path=sub", "--reads", "-o", "json")).isZero();
        assertThat(console.out()).contains("\"manifestGeneratePaths\" : \".;/lib/c.yaml\"");
    }

    @Test
    void explainShowsWhatWasReadBeforeAFailure() throws IOException {
        plugin("cat a.yaml; exit 3");
        assertThat(explain("--reads")).isEqualTo(3);
        assertThat(console.out())
                .contains("opened 1 of 2 files before it failed")
                .contains("a.yaml\n");
        assertThat(console.run("explain", "app", "--reads", "--plugin=unix:no.sock"))
                .isEqualTo(2);
        assertThat(console.err()).contains("--reads needs the plugin's file");
    }

    @Test
    void explainEndsWith3WhenThePluginCannotBeAsked() throws IOException {
        write("plugin.yaml", discovering("find: {command: [sh, -c, 'echo why >&2; exit 4']}"));
        assertThat(explain()).isEqualTo(3);
        assertThat(console.out()).contains("could not ask: ").contains("exit status 4: why");
        assertThat(console.err()).contains("[");
    }

    @Test
    void explainShowsTheEnvironmentWithOriginsAndClashes() throws IOException {
        plugin("cat a.yaml");
        String[] clash = {
            "--env", "--plugin-param", "a-b=1", "--plugin-param", "a.b=2", "--plugin-env", "KEY=secretsecret"
        };
        assertThat(explain(clash)).isZero();
        assertThat(console.out())
                .contains("ARGOCD_APP_NAME=app  ← build environment")
                .contains("ARGOCD_ENV_KEY=******  ← plugin.env KEY")
                .contains("PARAM_A_B=1  ← parameter a-b  (hidden by parameter a)")
                .doesNotContain("secretsecret");
        assertThat(explain(
                        Stream.concat(Stream.of(clash), Stream.of("--strict")).toArray(String[]::new)))
                .isEqualTo(3);
        assertThat(console.err()).contains("[environment.clash]");
    }

    @Test
    void explainShowsWhichLimitFiresFirst() throws IOException {
        write("plugin.yaml", definition("generate: {command: [cat, a.yaml]}") + "remora: {limits: {timeout: 7s}}\n");
        assertThat(explain("--limits")).isZero();
        assertThat(console.out()).containsPattern("7s limits.timeout.*remora.limits.timeout.*← first");
        assertThat(explain("--limits", "--timeout=5s", "-o", "json")).isZero();
        assertThat(console.out())
                .contains("\"schema\" : \"remora/explain/v1\"")
                .containsPattern("\"name\" : \"the caller's deadline\",\\s+\"seconds\" : 5.0");
    }

    @Test
    void showsParametersWithGivenValues() throws IOException {
        write(
                "plugin.yaml",
                definition("generate: {command: [cat, a.yaml]}\n"
                        + "  parameters: {static: [{name: env, required: true, string: dev}, {name: l, collectionType: array,"
                        + " array: [x1, x2]}]}"));
        assertThat(console.run("params", "app", "--plugin", "plugin.yaml", "--plugin-param", "env=prod"))
                .isZero();
        assertThat(console.out().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "NAME TYPE VALUE FROM REQUIRED VARIABLE",
                        "env string prod application yes PARAM_ENV",
                        "l array of string x1,x2 static no PARAM_L_<n>");
    }

    @Test
    void tellsWhereSettingsComeFromWhenVerbose() throws IOException {
        plugin("cat a.yaml");
        console.with("REMORA_PROJECT", "payments").with("ARGOCD_EXEC_TIMEOUT", "soon");
        assertThat(render("-v", "--plugin-env", "TOKEN=hunter22")).isZero();
        assertThat(console.err())
                .contains("setting project=payments  ← REMORA_PROJECT\n")
                .contains("setting plugin-env  ← --plugin-env\n")
                .contains("note: ARGOCD_EXEC_TIMEOUT=\"soon\" is not valid and is ignored")
                .doesNotContain("hunter22");
    }

    @Test
    void countsHowOftenMoreWasAskedFor() throws IOException {
        plugin("cat a.yaml");
        assertThat(render("-v", "-v")).isZero();
        assertThat(console.err()).contains("setting verbose=2  ← --verbose\n");
        assertThat(render("-v")).isZero();
        assertThat(console.err()).contains("setting verbose=1  ← --verbose\n");
    }

    @Test
    void warnsOfKeysThatNothingReadsAndOfParametersThatThePluginDoesNotAnnounce() throws IOException {
        write(
                "plugin.yaml",
                definition(
                        "generate: {command: [cat, a.yaml]}\n  generat: x\n  parameters: {static: [{name: region}]}"));
        assertThat(render("--plugin-param", "regoin=eu")).isZero();
        assertThat(console.err())
                .contains("spec.generat is not read, did you mean generate?")
                .contains("warning: --plugin-param regoin: p announces no such parameter, did you mean region?");
        assertThat(render("--plugin-param", "region=eu")).isZero();
        assertThat(console.err()).doesNotContain("no such parameter");
        assertThat(render("-q", "--plugin-param", "regoin=eu")).isZero();
        assertThat(console.err()).isEmpty();
    }

    @Test
    void helpNamesNoDefaultThatIsJustOff() {
        assertThat(console.run("render", "--help")).isZero();
        assertThat(console.out())
                .contains("[REMORA_EXEC_TIMEOUT")
                .contains("default 90s]")
                .doesNotContain("default false");
    }

    @Test
    void colorsErrorsOnATerminalUnlessToldOtherwise() {
        String red = "\033[31merror:\033[0m";
        assertThat(console.run("rendr")).isEqualTo(2);
        assertThat(console.err()).startsWith("error:");
        assertThat(console.run("rendr", "--color=always")).isEqualTo(2);
        assertThat(console.err()).startsWith(red);
        console.onTerminal();
        assertThat(console.run("rendr")).isEqualTo(2);
        assertThat(console.err()).startsWith(red);
        assertThat(console.run("rendr", "--no-color")).isEqualTo(2);
        assertThat(console.err()).startsWith("error:");
        console.with("NO_COLOR", "1");
        assertThat(console.run("rendr")).isEqualTo(2);
        assertThat(console.err()).startsWith("error:");
    }

    @Test
    void startsInAnotherFolder() throws IOException {
        plugin("cat a.yaml");
        FakeConsole elsewhere = new FakeConsole(Path.of("/")).with("TMPDIR", folder.toString());
        assertThat(elsewhere.run("-C", folder.toString(), "render", "app", "--plugin", "plugin.yaml", "-o", "name"))
                .isZero();
        assertThat(elsewhere.out()).isEqualTo("configmap/a\n");
    }

    private int render(String... more) {
        return run("render", more);
    }

    private int explain(String... more) {
        return run("explain", more);
    }

    private int run(String command, String... more) {
        return console.run(Stream.concat(Stream.of(command, "app", "--plugin", "plugin.yaml"), Stream.of(more))
                .toArray(String[]::new));
    }

    private String replayed(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(folder.resolve("kept/replay.sh").toString(), command)
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }

    private void plugin(String shell) throws IOException {
        write("plugin.yaml", definition("generate: {command: [sh, -c], args: ['" + shell.replace("'", "''") + "']}"));
    }

    private static String discovering(String rule) {
        return definition("generate: {command: [cat, a.yaml]}\n  discover: {" + rule + "}");
    }

    private static String definition(String spec) {
        return "apiVersion: argoproj.io/v1alpha1\nkind: ConfigManagementPlugin\nmetadata: {name: p}\nspec:\n  " + spec
                + "\n";
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }
}

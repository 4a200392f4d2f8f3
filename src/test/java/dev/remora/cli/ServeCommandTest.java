package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `remora serve` as a process of its own, and its rehearsal.
class ServeCommandTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private @Nullable Process server;

    @BeforeEach
    void makeFolders() throws IOException {
        for (String name : List.of("config", "s", "work", "app")) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.writeString(folder.resolve("app/a.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n");
        define("plugin.yaml", "p", "cat *.yaml");
    }

    @AfterEach
    void endServer() {
        if (server != null) {
            server.destroyForcibly();
        }
    }

    @Test
    void anExecTimeoutBoundsTheCallOfAServer() throws Exception {
        define("plugin.yaml", "p", "exec sleep 30");
        start();
        FakeConsole console = new FakeConsole(folder).with("TMPDIR", folder.toString());
        long began = System.nanoTime();
        assertThat(console.run("render", "app", "--plugin", "unix:s/p.sock", "--exec-timeout", "3s"))
                .isNotZero();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        assertThat(console.err()).containsAnyOf("[call.deadline]", "DEADLINE_EXCEEDED", "deadline exceeded");
    }

    @Test
    void aCheckTellsWhatIsProbablyAMistake() throws IOException {
        Files.writeString(
                folder.resolve("config/plugin.yaml"),
                "kind: ConfigManagementPlugin\nmetadata: {name: p}\nspec: {generat: 1, generate: {command: [sh]}}\n");
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run(check("--socket-dir=s"))).isZero();
        assertThat(console.out()).contains("plugin.yaml:3:8: spec.generat is not read, did you mean generate?");
    }

    @Test
    void servesUntilSigtermAndEndsWith0() throws Exception {
        start();
        FakeConsole console = new FakeConsole(folder).with("TMPDIR", folder.toString());
        assertThat(console.run("render", "app", "--plugin", "unix:s/p.sock", "-o", "name"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).isEqualTo("configmap/a\n");
        assertThat(console.run(
                        "render",
                        "app",
                        "--plugin",
                        "unix:s/p.sock",
                        "--plugin",
                        "config/plugin.yaml",
                        "--compare-hosts"))
                .isZero();
        assertThat(console.out()).isEqualTo("no difference: 1 object\n");
        assertThat(console.run("explain", "app", "--plugin", "unix:s/p.sock", "--env", "--limits"))
                .isZero();
        assertThat(console.out())
                .contains("the server's own variables, which only the server knows", "the server's own may be others")
                .doesNotContain("variables of this process");
        assertThat(stop()).isZero();
        assertThat(folder.resolve("s/p.sock")).doesNotExist();
    }

    @Test
    void comparingHostsShowsWhereTheyDiffer() throws Exception {
        start();
        define("../other.yaml", "p", "sed s/a/b/2 a.yaml");
        FakeConsole console = new FakeConsole(folder).with("TMPDIR", folder.toString());
        String[] line = {"render", "app", "--plugin", "unix:s/p.sock", "--plugin", "other.yaml", "--compare-hosts"};
        assertThat(console.run(line)).isEqualTo(1);
        assertThat(console.out())
                .contains("--- unix:s/p.sock\n+++ other.yaml\n@@ document 1 @@\n")
                .contains("1 difference\n");
        assertThat(console.run(
                        Stream.concat(Stream.of(line), Stream.of("-o", "json")).toArray(String[]::new)))
                .isEqualTo(1);
        assertThat(console.out()).contains("\"schema\" : \"remora/compare-hosts/v1\"");
    }

    @Test
    void keepsTheFoldersOfTheLastFailedRenders() throws Exception {
        define("plugin.yaml", "p", "echo made > made; exit 3");
        start("--keep-failed", "2");
        FakeConsole console = new FakeConsole(folder).with("TMPDIR", folder.toString());
        for (int i = 0; i < 3; i++) {
            assertThat(console.run("render", "app", "--plugin", "unix:s/p.sock", "--plugin-env", "TOKEN=secretsecret"))
                    .isEqualTo(3);
        }
        assertThat(stop()).isZero();
        try (Stream<Path> kept = Files.list(folder.resolve("work/remora-kept"))) {
            List<Path> folders = kept.sorted().toList();
            assertThat(folders).hasSize(2);
            Path last = folders.getLast();
            assertThat(last.resolve("work/made")).hasContent("made");
            assertThat(last.resolve("replay.sh"))
                    .content()
                    .contains("generate)")
                    .contains("ARGOCD_ENV_TOKEN=******")
                    .doesNotContain("secretsecret");
            assertThat(Files.getPosixFilePermissions(folder.resolve("work/remora-kept")))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            assertThat(log()).contains("kept " + last).contains("\"kept\":\"" + last + "\"");
        }
    }

    @Test
    void keepsNoFolderThatIsTooLarge() throws Exception {
        define("plugin.yaml", "p", "head -c 1100000 /dev/zero > big; exit 3");
        start("--keep-failed=2", "--keep-failed-size-mb=1");
        FakeConsole console = new FakeConsole(folder).with("TMPDIR", folder.toString());
        assertThat(console.run("render", "app", "--plugin", "unix:s/p.sock")).isEqualTo(3);
        assertThat(stop()).isZero();
        assertThat(folder.resolve("work/remora-kept")).doesNotExist();
        assertThat(log()).contains("larger than --keep-failed-size-mb");
    }

    @Test
    void endsWith20WhenItCannotStart() throws Exception {
        Files.delete(folder.resolve("config/plugin.yaml"));
        server = process();
        assertThat(server().waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(server().exitValue()).isEqualTo(20);
        assertThat(log()).contains("plugin.yaml: no such file or directory");
    }

    /// `render` as a process too: whoever ends it finds nothing of it afterwards.
    @Test
    void renderEndedBySigtermLeavesNothingAndEndsWith143() throws Exception {
        define(
                "plugin.yaml",
                "p",
                "echo $$ > " + folder + "/pid.new; mv " + folder + "/pid.new " + folder + "/pid; sleep 600");
        server = java(
                "render",
                "app",
                "--plugin",
                "config/plugin.yaml",
                "--workdir",
                folder.resolve("work").toString());
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!Files.exists(folder.resolve("pid"))) {
            assertThat(System.nanoTime()).as(log()).isLessThan(end);
            Thread.sleep(50);
        }
        assertThat(stop()).as(log()).isEqualTo(143);
        assertThat(Path.of("/proc", Files.readString(folder.resolve("pid")).strip()))
                .doesNotExist();
        try (Stream<Path> left = Files.list(folder.resolve("work/_remora-" + Files.getAttribute(folder, "unix:uid")))) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactly("lock");
        }
    }

    @Test
    void refusesOtherSystemsClearly() {
        assertThatThrownBy(() -> ServeCommand.refuseOtherSystems("Mac OS X"))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("serve needs Linux, and this is Mac OS X")
                .hasMessageContaining("render, explain and params work here");
    }

    @Test
    void rehearsesAStart() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run(check("--socket-dir=s"))).as(console.out()).isZero();
        assertThat(console.out()).contains("ok    p  ").contains("would start\n");
    }

    @Test
    void rehearsalReportsEveryFaultAtOnce() throws IOException {
        Files.writeString(folder.resolve("config/plugin.yaml"), "kind: X\nspec: {generate: {command: [no-such]}}\n");
        try (ServerSocket busy = new ServerSocket(0)) {
            FakeConsole console = new FakeConsole(folder);
            String[] line = check("--socket-dir=nowhere", "--http-listen=:" + busy.getLocalPort());
            assertThat(console.run(line)).isEqualTo(5);
            assertThat(console.out())
                    .contains("plugin.yaml:1:")
                    .contains("metadata.name")
                    .contains("nowhere is no folder")
                    .contains("cannot listen on ")
                    .contains("would not start: ");
            assertThat(console.run(Stream.concat(Stream.of(line), Stream.of("-o", "json"))
                            .toArray(String[]::new)))
                    .isEqualTo(5);
            assertThat(console.out())
                    .contains("\"schema\" : \"remora/serve-check/v1\"")
                    .contains("\"ok\" : false");
        }
    }

    @Test
    void rehearsalEndsWith3WhenOnlyADefinitionIsWrong() throws IOException {
        Files.writeString(folder.resolve("config/plugin.yaml"), "kind: X\n");
        assertThat(new FakeConsole(folder).run(check("--socket-dir=s"))).isEqualTo(3);
    }

    @Test
    void rehearsalWarnsOfProgramsThatAreNotHere() throws IOException {
        Files.writeString(
                folder.resolve("config/plugin.yaml"),
                "kind: ConfigManagementPlugin\nmetadata: {name: p}\nspec: {generate: {command: [no-such-tool]}}\n");
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run(check("--socket-dir=s"))).isZero();
        assertThat(console.out())
                .contains("warn  plugin.yaml: spec.generate.command: no-such-tool is not on PATH here");
    }

    private String[] check(String... more) {
        return Stream.concat(
                        Stream.of("serve", "--check", "--config-dir-path=config", "--workdir=work"), Stream.of(more))
                .toArray(String[]::new);
    }

    private void define(String file, String name, String shell) throws IOException {
        Files.writeString(
                folder.resolve("config").resolve(file).normalize(),
                "kind: ConfigManagementPlugin\nmetadata: {name: " + name + "}\nspec: {generate: {command: [sh, -c, '"
                        + shell + "']}}\n");
    }

    private void start(String... more) throws Exception {
        server = process(more);
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!Files.exists(folder.resolve("s/p.sock"))) {
            assertThat(server().isAlive()).as(log()).isTrue();
            assertThat(System.nanoTime()).as(log()).isLessThan(end);
            Thread.sleep(50);
        }
    }

    private Process process(String... more) throws IOException {
        Stream<String> serve = Stream.of(
                "serve",
                "--config-dir-path=config",
                "--socket-dir=" + folder.resolve("s"),
                "--workdir=" + folder.resolve("work"));
        return java(Stream.concat(serve, Stream.of(more)).toArray(String[]::new));
    }

    private Process java(String... arguments) throws IOException {
        Stream<String> java = Stream.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.remora.cli.Main");
        return new ProcessBuilder(Stream.concat(java, Stream.of(arguments)).toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private int stop() throws InterruptedException {
        server().destroy();
        assertThat(server().waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return server().exitValue();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"), StandardCharsets.UTF_8);
    }

    private Process server() {
        return Objects.requireNonNull(server);
    }
}

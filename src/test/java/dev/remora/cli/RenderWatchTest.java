package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.git.SourceRepository;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `render -f … --watch` as a process of its own, ended as a person ends it.
class RenderWatchTest {
    private static final String URL = "https://git.example.com/team/deploy";
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    Path temporary;

    private SourceRepository repository;
    private Optional<Watching> watching = Optional.empty();

    @BeforeEach
    void makeRepository() throws IOException {
        repository = SourceRepository.in(temporary.resolve("deploy"));
        repository.git("remote", "add", "origin", URL + ".git");
        for (String name : List.of("payments", "search")) {
            repository.write("apps/" + name + ".yaml", application(name, name));
            repository.write(name + "/cm.yaml", map(name, "first"));
        }
        write("plugin.yaml", plugin("cat cm.yaml"));
        repository.commit("first");
        for (String folder : List.of("work", "home", "run")) {
            Files.createDirectories(temporary.resolve(folder));
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (watching.isPresent()) {
            watching.get().process().destroyForcibly().waitFor();
        }
    }

    private static String map(String name, String value) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {key: " + value + "}}\n";
    }

    private static String application(String name, String path) {
        return """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: %s, namespace: argocd}
                spec:
                  destination: {server: x, namespace: prod}
                  source: {repoURL: "%s", path: %s, targetRevision: main, plugin: {name: show}}
                """.formatted(name, URL, path);
    }

    private String plugin(String script) {
        return """
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: show}
                spec: {generate: {command: [sh, -c, "echo run >> %s; %s"]}}
                """.formatted(temporary.resolve("runs"), script);
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(temporary.resolve(file), text);
    }

    private int runs() throws IOException {
        return Files.readAllLines(temporary.resolve("runs")).size();
    }

    /// A process that watches, and what it says, line by line.
    private record Watching(Process process, BlockingQueue<String> lines) {
        /// All up to the line that holds `end`.
        String until(String end) throws InterruptedException {
            List<String> all = new ArrayList<>();
            while (true) {
                String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                assertThat(line).as("waiting for \"%s\" after %s", end, all).isNotNull();
                all.add(line);
                if (line.contains(end)) {
                    return String.join("\n", all) + "\n";
                }
            }
        }
    }

    private Watching watch(String... flags) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "render",
                "--watch",
                "--plugin",
                temporary.resolve("plugin.yaml").toString()));
        line.addAll(List.of(flags));
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(repository.folder().toFile()).redirectErrorStream(true);
        builder.environment().put("HOME", temporary.resolve("home").toString());
        builder.environment().put("XDG_RUNTIME_DIR", temporary.resolve("run").toString());
        builder.environment().remove("XDG_CACHE_HOME");
        builder.environment().put("TMPDIR", temporary.resolve("work").toString());
        Process process = builder.start();
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread.ofVirtual().start(() -> {
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                reader.lines().forEach(lines::add);
            } catch (IOException | java.io.UncheckedIOException ended) {
                lines.add("ended: " + ended.getMessage());
            }
        });
        Watching started = new Watching(process, lines);
        watching = Optional.of(started);
        return started;
    }

    @Test
    void showsWhatTheManifestsBecameAndLeavesNothingBehind() throws Exception {
        Watching watch = watch("-f", "apps");
        assertThat(watch.until("; Ctrl-C ends it"))
                .contains("key: first\n")
                .contains("name: payments\n")
                .contains("name: search\n");

        repository.write("payments/cm.yaml", map("payments", "second"));
        assertThat(watch.until("; Ctrl-C ends it"))
                .startsWith("changed: payments/cm.yaml\n")
                .contains("--- payments\n+++ payments\n@@\n")
                .contains("\n-  key: first\n+  key: second\n")
                .doesNotContain("+++ search");

        watch.process().toHandle().destroy();
        assertThat(watch.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(watch.process().exitValue()).isEqualTo(143);
        for (String folder : List.of("work", "run")) {
            try (Stream<Path> left = Files.walk(temporary.resolve(folder))) {
                assertThat(left.filter(path -> !path.endsWith("lock")
                                && !path.getFileName().toString().startsWith("_remora-")))
                        .as(folder)
                        .containsExactly(temporary.resolve(folder));
            }
        }
    }

    @Test
    void runsThePluginOnlyForWhatChanged() throws Exception {
        write("plugin.yaml", plugin("cat cm.yaml").replace("spec:", "remora: {inputs: ['{app}/**']}\nspec:"));
        Watching watch = watch("-f", "apps");
        watch.until("; Ctrl-C ends it");
        assertThat(runs()).isEqualTo(2);

        repository.write("search/cm.yaml", map("search", "second"));
        assertThat(watch.until("; Ctrl-C ends it"))
                .contains("payments: 1 object, show")
                .contains("kept answer");
        assertThat(runs()).isEqualTo(3);

        repository.write("readme.md", "of no interest");
        assertThat(watch.until("; Ctrl-C ends it")).contains("no difference");
        assertThat(runs()).isEqualTo(3);
    }

    @Test
    void goesOnAfterAFault() throws Exception {
        Watching watch = watch("-f", "apps/payments.yaml");
        watch.until("; Ctrl-C ends it");

        write("plugin.yaml", plugin("echo broken >&2; exit 3"));
        assertThat(watch.until("; Ctrl-C ends it")).contains("plugin.yaml").contains("broken");
        write("plugin.yaml", "no: plugin\n");
        assertThat(watch.until("; Ctrl-C ends it")).contains("error: ");
        write("plugin.yaml", plugin("sed s/first/third/ cm.yaml"));
        assertThat(watch.until("; Ctrl-C ends it")).contains("-  key: first\n+  key: third\n");
        repository.write("apps/payments.yaml", application("payments", "search"));
        assertThat(watch.until("; Ctrl-C ends it"))
                .contains("changed: apps/payments.yaml")
                .contains("+  name: search\n");
    }

    @Test
    void seesAFolderThatComes() throws Exception {
        Watching watch = watch("-f", "apps", "-o", "json");
        String first = watch.until("; Ctrl-C ends it");
        assertThat(first.lines().filter(line -> line.startsWith("{")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("{\"schema\":\"remora/render-watch/v1\",\"app\":\"")
                        .contains("\"first\":true"));

        repository.write("shop/cm.yaml", map("shop", "first"));
        repository.write("apps/shop.yaml", application("shop", "shop"));
        String next = watch.until("\"app\":\"shop\"");
        assertThat(next).contains("apps/shop.yaml");
    }

    @Test
    void refusesWhatCannotBeWatched() {
        FakeConsole console = new FakeConsole(repository.folder())
                .with("HOME", temporary.resolve("home").toString());
        assertThat(console.run("render", "--watch", "-f", "-")).isEqualTo(2);
        assertThat(console.err()).contains("--watch cannot watch standard input");
        assertThat(console.run("render", "--watch", "-f", "apps", "--keep")).isEqualTo(2);
        assertThat(console.run("render", "--watch", ".", "--plugin", "plugin.yaml"))
                .isEqualTo(2);
        assertThat(console.err()).contains("--watch watches Applications");
    }
}

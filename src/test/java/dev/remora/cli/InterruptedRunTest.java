package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.git.SourceRepository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ctrl-C, and a job's end, in the middle of many Applications: nothing that was started lives on, nothing is left in
/// the way of the next run.
class InterruptedRunTest {
    private static final int APPLICATIONS = 6;
    private static final int AT_ONCE = 3;

    @TempDir
    Path temporary;

    private SourceRepository repository;
    private Path started;

    @BeforeEach
    void makeRepository() throws IOException {
        repository = SourceRepository.in(temporary.resolve("deploy"));
        started = temporary.resolve("started");
        Files.createFile(started);
        repository.git("remote", "add", "origin", "https://git.example.com/team/deploy.git");
        for (int i = 0; i < APPLICATIONS; i++) {
            repository.write("apps/a%d.yaml".formatted(i), """
                    apiVersion: argoproj.io/v1alpha1
                    kind: Application
                    metadata: {name: a%d}
                    spec:
                      destination: {server: x, namespace: prod}
                      source: {repoURL: https://git.example.com/team/deploy.git, path: app%d, plugin: {name: slow}}
                    """.formatted(i, i));
            repository.write("app%d/cm.yaml".formatted(i), "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n");
        }
        // One process in the way of its signals, one in a session of its own.
        repository.write("plugin.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: slow}
                spec:
                  generate:
                    command: [sh, -c]
                    args: ['cat cm.yaml; test -e ../fast && exit; trap "" INT; setsid sleep 600 & echo $$ $! >> %s; wait']
                """.formatted(started));
        repository.commit("first");
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void leavesNothing(String signal, int status) throws Exception {
        Process run = start();
        awaitStarted();
        new ProcessBuilder("kill", "-" + signal, Long.toString(run.pid()))
                .start()
                .waitFor();

        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).isEqualTo(status);
        assertThat(pids()).hasSizeGreaterThanOrEqualTo(2 * AT_ONCE).noneMatch(InterruptedRunTest::isAlive);
        try (Stream<Path> left = Files.walk(temporary.resolve("work"))) {
            assertThat(left.filter(Files::isRegularFile)).allMatch(file -> file.endsWith("lock"));
        }

        repository.write("fast", "");
        Process next = start();
        assertThat(next.waitFor(60, TimeUnit.SECONDS)).as("the next run").isTrue();
        assertThat(next.exitValue())
                .as(Files.readString(temporary.resolve("output")))
                .isZero();
    }

    private Process start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.remora.cli.Main",
                        "render",
                        "-f",
                        "apps",
                        "--plugin",
                        "plugin.yaml",
                        "--concurrency",
                        Integer.toString(AT_ONCE),
                        "--output-dir",
                        temporary.resolve("out").toString())
                .directory(repository.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve("output").toFile());
        builder.environment().put("HOME", temporary.resolve("home").toString());
        builder.environment().put("XDG_CACHE_HOME", temporary.resolve("cache").toString());
        builder.environment()
                .put(
                        "TMPDIR",
                        Files.createDirectories(temporary.resolve("work")).toString());
        return builder.start();
    }

    private void awaitStarted() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (pids().size() < 2 * AT_ONCE) {
            assertThat(System.nanoTime())
                    .as(Files.readString(temporary.resolve("output")))
                    .isLessThan(end);
            Thread.sleep(20);
        }
    }

    private List<Long> pids() throws IOException {
        return Stream.of(Files.readString(started, StandardCharsets.US_ASCII)
                        .strip()
                        .split("\\s+", -1))
                .filter(text -> !text.isEmpty())
                .map(Long::valueOf)
                .toList();
    }

    /// A zombie of another parent is not ours to reap.
    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}

package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.testing.NeedsTool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The example with a warm worker, in a server.
@EnabledOnOs(OS.LINUX)
@NeedsTool("python3")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WarmExampleTest {
    private static final Path EXAMPLE = Path.of("examples/warm").toAbsolutePath();
    private static final String PROJECT = "ARGOCD_APP_PROJECT_NAME";

    @TempDir
    Path folder;

    private static ServeOptions withHome(ServeOptions options) {
        return new ServeOptions(
                options.places(),
                options.times(),
                options.rules(),
                options.outlets(),
                new ServeOptions.Surroundings("v0", System.getenv(), Map.of("WARM_HOME", EXAMPLE.toString())));
    }

    private static SmallArchive app(String values) throws Exception {
        return SmallArchive.of(Map.of(
                "values.ini", values, "manifest.template", Files.readString(EXAMPLE.resolve("app/manifest.template"))));
    }

    @Test
    void theWorkerMakesWhatTheCommandMakes() throws Exception {
        SmallArchive app = app(Files.readString(EXAMPLE.resolve("app/values.ini")));
        try (var sidecar = new RunningSidecar(
                folder, Files.readString(EXAMPLE.resolve("plugin.yaml")), WarmExampleTest::withHome)) {
            List<String> byCommand = sidecar.generate("warm", app, ".", "ARGOCD_APP_NAME", "shop");
            List<String> byWorker = sidecar.generate("warm", app, ".", "ARGOCD_APP_NAME", "shop", PROJECT, "p");
            List<String> again = sidecar.generate("warm", app, ".", "ARGOCD_APP_NAME", "bank", PROJECT, "p");

            assertThat(byCommand).hasSize(2).first().asString().contains("\"app\":\"shop\"", "\"name\":\"greeting\"");
            assertThat(byWorker).isEqualTo(byCommand);
            assertThat(again).first().asString().contains("\"app\":\"bank\"");
            assertThat(sidecar.logged().lines().filter(line -> line.contains("\"ran_by\":\"worker\"")))
                    .hasSize(2);
        }
    }

    @Test
    void aMistakeIsToldAsTheCommandTellsIt() throws Exception {
        SmallArchive app = app("[system-node-1]\ntext = x\nport = 1\n");
        try (var sidecar = new RunningSidecar(
                folder, Files.readString(EXAMPLE.resolve("plugin.yaml")), WarmExampleTest::withHome)) {
            assertThatThrownBy(() -> sidecar.generate("warm", app, ".", PROJECT, "p"))
                    .hasMessageContaining("failed exit status 1: system-node-1: the name is reserved");
        }
    }

    /// The fork waits for a pipe that nobody writes to; the worker gives it up and stays.
    @Test
    void givesAForkUpAtALimitAndServesTheNext() throws Exception {
        String definition = Files.readString(EXAMPLE.resolve("plugin.yaml"))
                        .replace(
                                "spec:\n", "spec:\n  init: {command: [sh, -c, '[ ! -e wait ] || mkfifo values.ini']}\n")
                + "  limits: {timeout: 4s}\n";
        SmallArchive app = app("[a]\ntext = x\nport = 1\n");
        SmallArchive waiting = SmallArchive.of(Map.of("wait", ""));
        try (var sidecar = new RunningSidecar(folder, definition, WarmExampleTest::withHome)) {
            assertThat(sidecar.generate("warm", app, ".", PROJECT, "p")).hasSize(1);
            assertThatThrownBy(() -> sidecar.generate("warm", waiting, ".", PROJECT, "p"))
                    .hasMessageContaining("limits.timeout of 4.0s ran out in generate");

            assertThat(sidecar.generate("warm", app, ".", PROJECT, "p")).hasSize(1);
            assertThat(sidecar.logged()).doesNotContain("worker ended");
        }
    }
}

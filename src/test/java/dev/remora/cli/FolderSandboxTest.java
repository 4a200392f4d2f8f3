package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.NeedsLandlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `render` fences commands as the sidecar does.
@NeedsLandlock
class FolderSandboxTest {
    @TempDir
    private Path temporary;

    private Path folder = Path.of("");
    private FakeConsole console = new FakeConsole(Path.of("/"));

    @BeforeEach
    void makeFolder() throws IOException {
        folder = temporary.toRealPath();
        console = new FakeConsole(folder).with("TMPDIR", folder.toString());
        Files.createDirectories(folder.resolve("app"));
        Files.writeString(folder.resolve("app/a.yaml"), "apiVersion: v1\nkind: A\nmetadata: {name: a}\n");
        Files.writeString(folder.resolve("key"), "key");
    }

    @Test
    void rendersStrictlyWhatADefinitionWantsStrict() throws IOException {
        define("cat " + folder + "/key >&2 && cat a.yaml", "remora: {sandbox: {}}\n");

        assertThat(console.run("render", "app", "--plugin", "plugin.yaml")).isEqualTo(3);
        assertThat(console.err())
                .contains("likely the sandbox: reading " + folder + "/key was refused; allow it by remora: {sandbox:"
                        + " {readable: [" + folder + "/key]}}");
    }

    @Test
    void withoutASandboxTheSameDefinitionReadsEverything() throws IOException {
        define("cat " + folder + "/key >&2 && cat a.yaml", "remora: {sandbox: {}}\n");

        assertThat(console.run("render", "app", "--plugin", "plugin.yaml", "--no-sandbox"))
                .as(console.err())
                .isZero();
    }

    @Test
    void canBeAskedToBeStrict() throws IOException {
        define("cat " + folder + "/key >&2 && cat a.yaml", "");

        assertThat(console.run("render", "app", "--plugin", "plugin.yaml"))
                .as(console.err())
                .isZero();
        assertThat(console.run("render", "app", "--plugin", "plugin.yaml", "--sandbox=strict"))
                .isEqualTo(3);
    }

    @Test
    void aKeptRenderKeepsItsHome() throws IOException {
        define("echo x > \"$HOME/made\" && cat a.yaml", "remora: {sandbox: {network: none}}\n");

        assertThat(console.run("render", "app", "--plugin", "plugin.yaml", "--keep=kept"))
                .as(console.err())
                .isZero();
        assertThat(folder.resolve("kept/home/made")).hasContent("x");
    }

    private void define(String line, String remora) throws IOException {
        Files.writeString(folder.resolve("plugin.yaml"), """
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: p}
                spec: {generate: {command: [sh, -c], args: ['%s']}}
                """.formatted(line) + remora);
    }
}

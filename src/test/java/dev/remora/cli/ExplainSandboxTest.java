package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.NeedsLandlock;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `explain --sandbox`: what it proposes makes a strict render succeed that fails without.
@NeedsLandlock
class ExplainSandboxTest {
    private static final String OBJECT = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}";

    @TempDir
    private Path temporary;

    private Path folder;
    private FakeConsole console;
    private ServerSocket server;

    @BeforeEach
    void makeFolders() throws IOException {
        folder = temporary.toRealPath();
        Files.createDirectories(folder.resolve("app"));
        Files.writeString(folder.resolve("app/a.yaml"), OBJECT.formatted("a") + "\n");
        Files.createDirectories(folder.resolve("srv/keys/..2026_12_01"));
        Files.writeString(folder.resolve("srv/keys/..2026_12_01/key"), "k");
        Files.createSymbolicLink(folder.resolve("srv/keys/key"), Path.of("..2026_12_01/key"));
        Files.createDirectories(folder.resolve("srv/cache"));
        Files.createDirectories(folder.resolve("work"));
        console = new FakeConsole(folder).with("TMPDIR", folder.resolve("work").toString());
        server = new ServerSocket(0);
        Thread.ofVirtual().start(this::greet);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private void greet() {
        while (true) {
            try (var peer = server.accept()) {
                peer.getOutputStream().write(OBJECT.formatted("greeting").getBytes(StandardCharsets.UTF_8));
            } catch (IOException closed) {
                return;
            }
        }
    }

    /// Needs a mounted key, a folder to write into, and a server.
    private String needy() {
        return "set -e; test -n \"$(cat %1$s/srv/keys/key)\"; echo x > %1$s/srv/cache/new; exec 3<>/dev/tcp/127.0.0.1/%2$d; cat <&3"
                .formatted(folder, server.getLocalPort());
    }

    @Test
    void whatItProposesLetsAStrictRenderSucceed() throws IOException {
        plugin(needy(), "remora: {sandbox: {network: none}}");
        assertThat(console.run("render", "app", "--plugin", "plugin.yaml")).isEqualTo(3);
        assertThat(console.err()).contains("ermission denied").contains("sandbox");

        plugin(needy(), "");
        assertThat(console.run("explain", "app", "--plugin", "plugin.yaml", "--sandbox"))
                .as(console.err())
                .isZero();
        String said = console.out();
        String block = said.substring(said.indexOf("remora:\n"));
        assertThat(block.replaceAll("  #.*", "")).isEqualTo("""
                           remora:
                             sandbox:
                               network: any
                               readable:
                               - %1$s/srv/keys
                               writable:
                               - %1$s/srv/cache
                           """.formatted(folder));

        plugin(needy(), block);
        assertThat(console.run("render", "app", "--plugin", "plugin.yaml"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).contains("name: greeting");
    }

    @Test
    void proposesAnEmptyBlockForWhatNeedsNothing() throws IOException {
        plugin("cat a.yaml; echo x > $HOME/x; mktemp >/dev/null; ls /usr >/dev/null", "");
        assertThat(console.run("explain", "app", "--plugin", "plugin.yaml", "--sandbox"))
                .as(console.err())
                .isZero();
        assertThat(console.out()).endsWith("\nremora:\n  sandbox:\n    network: none\n");
    }

    @Test
    void proposesAgainWhatTheOwnBlockAllowsIfItWasUsed() throws IOException {
        plugin(
                "cat " + folder + "/srv/keys/key >/dev/null; cat a.yaml",
                "remora: {sandbox: {readable: [" + folder + "/srv/keys, " + folder + "/srv/cache]}}");
        assertThat(console.run("explain", "app", "--plugin", "plugin.yaml", "--sandbox"))
                .isZero();
        assertThat(console.out()).contains("- " + folder + "/srv/keys  #").doesNotContain("srv/cache");
    }

    @Test
    void givesTheBlockAsJsonWithReasons() throws IOException {
        plugin("cat " + folder + "/srv/keys/key >/dev/null; cat a.yaml", "");
        assertThat(console.run("explain", "app", "--plugin", "plugin.yaml", "--sandbox", "-o", "json"))
                .isZero();
        assertThat(console.out())
                .contains("\"readable\" : [ \"" + folder + "/srv/keys\" ]")
                .contains("\"network\" : \"none\"")
                .contains("cat reads " + folder + "/srv/keys/key")
                .contains("\"complete\" : true");
    }

    @Test
    void proposesWhatWasNeededUntilItFailed() throws IOException {
        plugin("cat " + folder + "/srv/keys/key >/dev/null; exit 7", "");
        assertThat(console.run("explain", "app", "--plugin", "plugin.yaml", "--sandbox"))
                .isEqualTo(3);
        assertThat(console.out())
                .contains("it failed, and what it needs after that is not known")
                .contains("srv/keys");
    }

    @Test
    void refusesTheSocketOfAServer() {
        assertThat(console.run("explain", "app", "--plugin", "unix:x.sock", "--sandbox"))
                .isEqualTo(2);
        assertThat(console.err()).contains("--sandbox needs the plugin's file");
    }

    private void plugin(String line, String block) throws IOException {
        Files.writeString(folder.resolve("plugin.yaml"), """
                apiVersion: argoproj.io/v1alpha1
                kind: ConfigManagementPlugin
                metadata: {name: p}
                spec:
                  generate:
                    command: [bash, -c]
                    args:
                    - |
                      %s
                """.formatted(line) + block + "\n");
    }
}

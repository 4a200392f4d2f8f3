package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.generation.FencePolicy;
import dev.remora.testing.NeedsLandlock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Definitions with a `sandbox:` block, on a whole server.
@NeedsLandlock
class StrictPluginTest {
    private static final SmallArchive ARCHIVE = SmallArchive.of(Map.of("a.yaml", "apiVersion: v1\nkind: A\n"));
    private static final String OBJECT = "printf '{\"apiVersion\":\"v1\",\"kind\":\"A\",\"said\":\"%s\"}' ";

    @TempDir
    private Path folder;

    @Test
    void hasAHomeAndATemporaryFolderOfItsOwnThatEndWithTheRender() throws IOException {
        String line =
                "echo x > \"$HOME/a\"; f=$(mktemp) && echo y > \"$f\" && cp \"$f\" b; case $HOME$TMPDIR in $PWD*) exit 1;;"
                        + " esac; " + OBJECT + "\"$(cat b) $(ls $HOME) $HOME\"";
        try (var sidecar = new RunningSidecar(folder, strict(line, "{}"))) {
            assertThat(sidecar.generate("p", ARCHIVE, ".").getFirst())
                    .contains("y a " + folder.toRealPath() + "/work/");
        }
        try (Stream<Path> left = Files.walk(folder.resolve("work"))) {
            assertThat(left.filter(Files::isRegularFile).map(Path::getFileName).map(Path::toString))
                    .allMatch("lock"::equals);
        }
    }

    @Test
    void readsNothingOfTheServersFolders() throws IOException {
        Files.writeString(folder.resolve("key"), "k");
        String line = "cat " + folder + "/config/plugin.yaml || ls " + folder + "/work/_cmp_server || ls ../.. || cat "
                + folder + "/key || " + OBJECT + "nothing";
        try (var sidecar = new RunningSidecar(folder, strict(line, ""))) {
            assertThat(sidecar.generate("p", ARCHIVE, "."))
                    .singleElement()
                    .asString()
                    .contains("nothing");
        }
    }

    @Test
    void readsAndWritesWhatItsDefinitionLists() throws IOException {
        Files.writeString(folder.resolve("key"), "k");
        Files.createDirectory(folder.resolve("out"));
        String line = "cp " + folder + "/key " + folder + "/out/copy && " + OBJECT + "copied";
        try (var sidecar = new RunningSidecar(
                folder, strict(line, "{readable: [" + folder + "/key], writable: [" + folder + "/out]}"))) {
            sidecar.generate("p", ARCHIVE, ".");
        }
        assertThat(folder.resolve("out/copy")).hasContent("k");
    }

    @Test
    void anErrorNamesThePathAndTheLineThatAllowsIt() throws IOException {
        Files.writeString(folder.resolve("key"), "k");
        try (var sidecar = new RunningSidecar(folder, strict("cat " + folder + "/key", "{}"))) {
            Fault fault = catchThrowableOfType(Fault.class, () -> sidecar.generate("p", ARCHIVE, "."));

            assertThat(fault)
                    .hasMessageContaining("exit status 1")
                    .hasMessageContaining("likely the sandbox: reading " + folder
                            + "/key was refused; allow it by remora: {sandbox: {readable: [" + folder + "/key]}}");
        }
    }

    @Test
    void aFindCommandIsFencedToo() throws IOException {
        Files.writeString(folder.resolve("key"), "k");
        String definition = strict(OBJECT + "x", "{}")
                .replace(
                        "spec:\n",
                        "spec:\n  discover: {find: {command: [sh, -c, 'cat " + folder
                                + "/key 2>/dev/null || echo a; echo b']}}\n");
        try (var sidecar = new RunningSidecar(folder, definition);
                var client = sidecar.client("p")) {
            assertThat(client.match(ARCHIVE.metadata("."), ARCHIVE.stream()).getIsSupported())
                    .isTrue();
        }
        try (var sidecar = new RunningSidecar(folder, definition.replace("|| echo a; echo b", ""));
                var client = sidecar.client("p")) {
            Fault fault =
                    catchThrowableOfType(Fault.class, () -> client.match(ARCHIVE.metadata("."), ARCHIVE.stream()));
            assertThat(fault).hasMessageContaining("exit status 1");
        }
    }

    @Test
    void aServerCanMakeEveryPluginStrict() throws IOException {
        Files.writeString(folder.resolve("key"), "k");
        String line = "cat " + folder + "/key || " + OBJECT + "fenced";
        try (var sidecar = new RunningSidecar(
                folder,
                RunningSidecar.definition("p", line),
                options -> options.with(
                        options.rules().withIsolation(new ServeOptions.Isolation(FencePolicy.Level.STRICT, true))))) {
            assertThat(sidecar.generate("p", ARCHIVE, "."))
                    .singleElement()
                    .asString()
                    .contains("fenced");
        }
    }

    @Test
    void saysOfAPluginWithoutABlockThatItsFilesAreNotFenced() throws Exception {
        var http = RunningSidecar.httpAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("p", OBJECT + "x"), http)) {
            assertThat(sidecar.logged())
                    .contains("p: files are not fenced: its commands read and write what this server's user may; add"
                            + " `remora: {sandbox: {}}` to plugin.yaml, or start with --sandbox=strict");
            assertThat(page(sidecar, "/metrics"))
                    .contains("remora_plugin_sandbox_strict{plugin=\"p\"} 0", "remora_sandbox_layers_missing 0");
            assertThat(page(sidecar, "/plugins")).contains("\"sandbox\":\"compatible\"");
        }
    }

    @Test
    void saysThatUnixSocketsReachTheServerItself() throws IOException {
        try (var sidecar = new RunningSidecar(folder, strict(OBJECT + "x", "{unixSockets: true}"))) {
            assertThat(sidecar.logged())
                    .doesNotContain("files are not fenced")
                    .contains("connect to every Unix socket of this container");
        }
    }

    private static String page(RunningSidecar sidecar, String path) throws Exception {
        InetSocketAddress address = sidecar.server.httpAddress().orElseThrow();
        URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static String strict(String line, String block) {
        return RunningSidecar.definition("p", line) + "remora:\n  sandbox: " + block + "\n";
    }
}

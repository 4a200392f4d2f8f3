package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.cli.Main;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.testing.ChildJvm;
import dev.remora.testing.NeedsLandlock;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole servers behind a filter that answers as a kernel without Landlock, or without seccomp filters, answers.
@NeedsTool("python3")
class OlderKernelTest {
    private static final SmallArchive ARCHIVE = SmallArchive.of(Map.of("a.yaml", "apiVersion: v1\nkind: A\n"));

    @TempDir
    private Path folder;

    @BeforeEach
    void layOut() throws IOException {
        for (String name : List.of("config", "s", "work")) {
            Files.createDirectories(folder.resolve(name));
        }
    }

    private static List<String> without(String parts) {
        return List.of(
                "python3",
                Path.of("src/test/resources/kernel/without.py").toAbsolutePath().toString(),
                parts);
    }

    private static String plugin(String name, String line, String block) {
        return RunningSidecar.definition(name, line) + block;
    }

    @ParameterizedTest
    @NeedsLandlock
    @CsvSource({
        "landlock, files are not fenced, 'files,moves,truncation,tcp,devices,abstract-sockets,signals'",
        "seccomp, sockets and dangerous system calls are not fenced, system-calls"
    })
    void servesAndTellsInTheLogAtItsPagesAndWithEveryCallWhatDoesNotHold(String parts, String said, String lacking)
            throws Exception {
        int port = freePort();
        Map<String, String> plugins = Map.of(
                "fenced",
                plugin("fenced", "cat a.yaml", "remora: {sandbox: {}}"),
                "open",
                plugin("open", "cat a.yaml", ""));
        try (ServerProcess server = ServerProcess.start(
                without(parts),
                System.getProperty("java.class.path"),
                folder,
                plugins,
                "REMORA_HTTP_LISTEN=127.0.0.1:" + port,
                "REMORA_WARM_UP=0")) {
            assertThat(server.log())
                    .containsPattern("\"level\":\"warning\",\"msg\":\"sandbox: [^\\n]*" + said)
                    .contains(
                            "\"level\":\"warning\",\"msg\":\"fenced: its sandbox cannot be held here: this kernel lacks "
                                    + lacking.replace(",", ", ") + "\"")
                    .doesNotContain("open: its sandbox");
            assertThat(page(port, "/readyz"))
                    .startsWith("fenced: ok\nopen: ok\nsandbox: ")
                    .contains(said);
            assertThat(page(port, "/metrics"))
                    .contains(
                            "remora_sandbox_layers_missing " + lacking.split(",", -1).length + ".0\n",
                            "remora_plugin_sandbox_strict{plugin=\"fenced\"} 0.0");

            assertThat(page(port, "/plugins")).contains("\"sandbox\":\"strict\",\"sandbox_lacks\":\"" + lacking + "\"");

            assertThat(generate(server, "fenced")).singleElement().asString().contains("\"kind\":\"A\"");

            assertThat(server.log()).containsPattern("finished call[^\\n]*\"sandbox_lacks\":\"" + lacking + "\"");
        }
    }

    /// What the kernel has is still put around a strict plugin; without either layer both attempts succeed.
    @ParameterizedTest
    @NeedsLandlock
    @CsvSource({"landlock, read", "seccomp, socket", "'landlock,seccomp', read socket"})
    void holdsWithTheLayersThatAreThere(String parts, String succeeds) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "s");
        String line = "(cat " + secret + " >/dev/null && printf 'read ';"
                + " python3 -c 'import socket; socket.socket(socket.AF_INET)' && printf socket) 2>/dev/null"
                + " | sed 's/ $//; s/.*/{apiVersion: v1, kind: \"&\"}/'";
        Map<String, String> plugins = Map.of("fenced", plugin("fenced", line, "remora: {sandbox: {network: none}}"));
        try (ServerProcess server = ServerProcess.start(
                without(parts), System.getProperty("java.class.path"), folder, plugins, "REMORA_WARM_UP=0")) {
            assertThat(generate(server, "fenced")).singleElement().asString().contains("\"kind\":\"" + succeeds + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"landlock", "seccomp"})
    void requireSandboxRefusesToServe(String parts) throws Exception {
        Files.writeString(folder.resolve("config/plugin.yaml"), plugin("p", "cat a.yaml", ""));

        ChildJvm.Result refused = serve(parts, "--require-sandbox");

        assertThat(refused.exit()).as(refused.output()).isEqualTo(20);
        assertThat(refused.output())
                .contains(
                        "--require-sandbox: ",
                        "not fenced (needs ",
                        "remora doctor tells more",
                        "[sandbox.unsupported]");
        assertThat(folder.resolve("s")).isEmptyDirectory();
    }

    @Test
    void aRehearsalRefusesTooAndWarnsOtherwise() throws Exception {
        Files.writeString(folder.resolve("config/plugin.yaml"), plugin("p", "cat a.yaml", ""));

        ChildJvm.Result refused = serve("landlock", "--check", "--require-sandbox");
        ChildJvm.Result warned = serve("landlock", "--check");

        assertThat(refused.exit()).as(refused.output()).isEqualTo(5);
        assertThat(refused.output()).contains("FAIL  --require-sandbox: ", "would not start: 1 fault");
        assertThat(warned.exit()).as(warned.output()).isZero();
        assertThat(warned.output()).contains("warn  sandbox: files are not fenced", "would start");
    }

    @Test
    void theDoctorTellsWhichLayersFail() throws Exception {
        ChildJvm.Result told = new ChildJvm().by(without("landlock")).run(Main.class, "doctor");

        assertThat(told.exit()).as(told.output()).isEqualTo(1);
        assertThat(told.output())
                .contains(
                        "FAIL  files",
                        "(the kernel has no Landlock) → use a node with Landlock (Linux 5.13, lsm=landlock)",
                        "FAIL  sandbox",
                        "serve --require-sandbox would not start")
                .containsPattern("ok {4}system-calls +an IP socket and ptrace were refused");
    }

    private ChildJvm.Result serve(String parts, String... more) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                "serve",
                "--config-dir-path=" + folder.resolve("config"),
                "--socket-dir=" + folder.resolve("s"),
                "--workdir=" + folder.resolve("work")));
        line.addAll(List.of(more));
        return new ChildJvm().by(without(parts)).run(Main.class, line.toArray(String[]::new));
    }

    private static List<String> generate(ServerProcess server, String plugin) {
        try (PluginClient client = PluginClient.connect(server.socket(plugin), ClientOptions.DEFAULT)) {
            return RunningSidecar.texts(client.generate(ARCHIVE.metadata("."), ARCHIVE.stream()));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String page(int port, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}

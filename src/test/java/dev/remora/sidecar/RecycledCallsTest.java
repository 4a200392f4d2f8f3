package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.remora.protocol.PluginClient;
import dev.remora.workspace.RecycleOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Calls of a whole server whose commands leave their tree in disorder.
@EnabledOnOs(OS.LINUX)
class RecycledCallsTest {
    private static final String DOCUMENT = "apiVersion: v1\nkind: X\nmetadata: {name: %s}\n";
    private static final SmallArchive ONE =
            SmallArchive.of(Map.of("x.yaml", DOCUMENT.formatted("one"), "d/y", "why", "z", "untouched"));
    private static final SmallArchive TWO =
            SmallArchive.of(Map.of("x.yaml", DOCUMENT.formatted("two"), "d/y", "why", "z", "untouched"));

    /// Prints its folder as a document's name, then spoils it in every way a shell has.
    private static final String SPOILING = "cat x.yaml; ls -A | tr '\\n' ' ' | sed 's/^/# /' ; "
            + "echo spoiled > x.yaml; ln d/y hard; chmod 0 d; mkdir -p new/deep; mkfifo pipe; ln -s /etc link; "
            + "mv d moved; ln -s moved d; echo x > ../beside; (sleep 60; echo late > x.yaml) >/dev/null 2>&1 &";

    @TempDir
    Path folder;

    private static String[] application(String project) {
        return new String[] {
            "ARGOCD_APP_SOURCE_REPO_URL", "https://example.com/repo", "ARGOCD_APP_PROJECT_NAME", project
        };
    }

    @Test
    void answersAsFromAFreshFolderWhateverCommandsLeft() throws IOException {
        try (var sidecar =
                new RunningSidecar(folder, RunningSidecar.definition("p", SPOILING), RecycledCallsTest::recycling)) {
            for (int round = 0; round < 3; round++) {
                for (SmallArchive archive : List.of(ONE, TWO)) {
                    String name = archive.equals(ONE) ? "one" : "two";
                    assertThat(sidecar.generate("p", archive, ".", application("a")))
                            .singleElement()
                            .asString()
                            .contains("\"name\":\"" + name + "\"");
                }
            }
            assertThat(TreeKinds.in(sidecar.logged())).isEqualTo("fresh changed changed changed changed changed");
        }
    }

    @Test
    void dropsTheBytesOfAnArchiveThatIsThere() throws IOException {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT, RecycledCallsTest::recycling)) {
            for (int call = 0; call < 3; call++) {
                sidecar.generate("cat", ONE, ".", application("a"));
            }
            sidecar.generate("cat", ONE, ".", application("b"));

            assertThat(TreeKinds.in(sidecar.logged())).isEqualTo("fresh same same fresh");
            assertThat(sidecar.logged()).contains("\"files_written\":0").contains("\"bytes_saved\":");
        }
    }

    @Test
    void refusesAnotherArchiveThanTheAnnouncedOneThoughItIsThere() throws IOException {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT, RecycledCallsTest::recycling);
                PluginClient client = sidecar.client("cat")) {
            sidecar.generate("cat", ONE, ".", application("a"));

            assertThatThrownBy(() -> client.generate(
                            TWO.metadata(".", application("a")).toBuilder()
                                    .setChecksum(ByteString.copyFromUtf8(ONE.sha256()))
                                    .build(),
                            TWO.stream()))
                    .hasMessageContaining("file checksum validation error");

            assertThat(sidecar.generate("cat", ONE, ".", application("a")))
                    .singleElement()
                    .asString()
                    .contains("one");
        }
    }

    @Test
    void countsWhatWasLentWrittenSavedAndKept() throws Exception {
        var http = RunningSidecar.httpAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT, options -> http.apply(recycling(options)))) {
            sidecar.generate("cat", ONE, ".", application("a"));
            sidecar.generate("cat", ONE, ".", application("a"));
            sidecar.generate("cat", TWO, ".", application("a"));
            sidecar.generate("cat", ONE, ".", application("b"));

            int whole = DOCUMENT.formatted("one").length() + "why".length() + "untouched".length();
            int unchanged = "why".length() + "untouched".length();
            String which = "{method=\"GenerateManifest\",plugin=\"cat\"";
            assertThat(metrics(sidecar, "remora_trees_idle 2.0"))
                    .contains("remora_trees_lent_total" + which + ",tree=\"fresh\"} 2.0\n")
                    .contains("remora_trees_lent_total" + which + ",tree=\"same\"} 1.0\n")
                    .contains("remora_trees_lent_total" + which + ",tree=\"changed\"} 1.0\n")
                    .contains("remora_tree_files_written_total" + which + "} " + (3 + 0 + 1 + 3) + ".0\n")
                    .contains("remora_tree_saved_bytes_total" + which + "} " + (whole + unchanged) + ".0\n")
                    .contains("remora_trees_idle 2.0\n")
                    .contains("remora_trees_idle_inodes 8.0\n") // three files and a folder, twice
                    .contains("remora_trees_idle_bytes " + 8 * 4096 + ".0\n");
        }
    }

    @Test
    void countsOnlyFreshTreesWhenItIsSwitchedOff() throws Exception {
        var http = RunningSidecar.httpAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (var sidecar = new RunningSidecar(
                folder,
                RunningSidecar.CAT,
                options -> http.apply(options).with(options.places().withRecycle(RecycleOptions.OFF)))) {
            sidecar.generate("cat", ONE, ".", application("a"));
            sidecar.generate("cat", ONE, ".", application("a"));

            assertThat(metrics(sidecar, "tree=\"fresh\"} 2.0"))
                    .contains("remora_trees_idle 0.0\n", "remora_trees_idle_bytes 0.0\n")
                    .doesNotContain("tree=\"same\"", "tree=\"changed\"");
        }
    }

    /// `-Dremora.recycle=false` runs all tests of the sidecar without.
    @Test
    void theSwitchOfTheTestsIsHeeded() throws IOException {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT)) {
            sidecar.generate("cat", ONE, ".", application("a"));
            sidecar.generate("cat", ONE, ".", application("a"));

            boolean on = !"false".equals(System.getProperty("remora.recycle"));
            assertThat(TreeKinds.in(sidecar.logged())).isEqualTo(on ? "fresh same" : "fresh fresh");
        }
    }

    /// The page, once it has `wanted`: trees become idle after their call was answered.
    private static String metrics(RunningSidecar sidecar, String wanted) throws Exception {
        InetSocketAddress address = sidecar.server.httpAddress().orElseThrow();
        URI uri = URI.create("http://127.0.0.1:" + address.getPort() + "/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            String page = "";
            for (int i = 0; i < 500 && !page.contains(wanted); i++) {
                Thread.sleep(20);
                page = client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                        .body();
            }
            return page;
        }
    }

    private static ServeOptions recycling(ServeOptions options) {
        return options.with(options.places().withRecycle(RecycleOptions.DEFAULT));
    }
}

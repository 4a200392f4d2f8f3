package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.remora.protocol.PluginClient;
import dev.remora.workspace.RecycleOptions;
import java.io.IOException;
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

    private static ServeOptions recycling(ServeOptions options) {
        return options.with(options.places().withRecycle(RecycleOptions.DEFAULT));
    }
}

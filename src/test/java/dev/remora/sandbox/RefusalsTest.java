package dev.remora.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class RefusalsTest {
    @TempDir
    private Path folder;

    private Path outside = Path.of("");
    private Path own = Path.of("");

    @BeforeEach
    void makeFiles() throws IOException {
        outside = Files.writeString(folder.resolve("key"), "k");
        own = Files.createDirectory(folder.resolve("own"));
    }

    /// The words of cat, Python, Go, Node, Java, git, bash and Rust.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat: %s: Permission denied",
                "PermissionError: [Errno 13] Permission denied: '%s'",
                "Error: open %s: permission denied",
                "Error: EACCES: permission denied, open '%s'",
                "Exception in thread \"main\" java.nio.file.AccessDeniedException: %s",
                "java.io.FileNotFoundException: %s (Permission denied)",
                "fatal: could not open '%s': Permission denied",
                "/bin/sh: 1: cannot open %s: Permission denied",
                "Error: failed to load \"%s\": Permission denied (os error 13)."
            })
    void namesThePathThatCouldNotBeRead(String words) {
        assertThat(explain(words.formatted(outside)))
                .isEqualTo("likely the sandbox: reading " + outside
                        + " was refused; allow it by remora: {sandbox: {readable: [" + outside + "]}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "touch: cannot touch '%s': Permission denied",
                "mkdir: cannot create directory ‘%s’: Permission denied",
                "/bin/sh: 1: cannot create %s: Permission denied",
                "Error: mkdir %s: permission denied"
            })
    void namesTheFolderInWhichSomethingWasToBeMade(String words) {
        assertThat(explain(words.formatted(folder.resolve("new"))))
                .isEqualTo("likely the sandbox: writing " + folder.resolve("new")
                        + " was refused; allow it by remora: {sandbox: {writable: [" + folder + "]}}");
    }

    @Test
    void whatTheDefinitionAllowsWasRefusedByOthers() {
        assertThat(explain("cat: " + own.resolve("x") + ": Permission denied")).isEmpty();
    }

    @Test
    void whatTheServerMayNotDoEitherIsNotTheSandboxsFault() {
        assertThat(explain("open /proc/1/mem/none: permission denied")).isEmpty();
        assertThat(explain("cat: /nowhere/at/all: Permission denied")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "curl: (6) Could not resolve host: charts.example.com",
                "Error: dial tcp: lookup charts.example.com on 10.96.0.10:53: dial udp 10.96.0.10:53: socket: permission"
                        + " denied",
                "Error: getaddrinfo EAI_AGAIN charts.example.com",
                "java.net.UnknownHostException: charts.example.com"
            })
    void namesTheHostThatCouldNotBeReached(String words) {
        assertThat(explain(words))
                .isEqualTo("likely the sandbox: the network was refused (charts.example.com); allow it by remora:"
                        + " {sandbox: {network: any}}");
    }

    @Test
    void namesUnixSockets() {
        assertThat(explain("dial unix /run/x.sock: socket: permission denied", Fence.Network.ANY))
                .isEqualTo("likely the sandbox: a Unix socket was refused; allow them by remora: {sandbox:"
                        + " {unixSockets: true}}");
    }

    @Test
    void withNetworkAllowedAHostThatIsMissingIsMissing() {
        assertThat(explain("curl: (6) Could not resolve host: x", Fence.Network.ANY))
                .isEmpty();
    }

    @Test
    void privilegesAreRefusedBehindEitherFence() {
        String words = "unshare: unshare failed: Operation not permitted";

        assertThat(Refusals.explain(Fence.COMPATIBLE, words)).isPresent();
        assertThat(explain(words)).contains("no setting gives them").contains(words);
        assertThat(Refusals.explain(Fence.OPEN, words)).isEmpty();
    }

    @Test
    void withoutAPathItOnlySaysPerhaps() {
        assertThat(explain("panic: permission denied")).startsWith("perhaps the sandbox; remora explain");
        assertThat(Refusals.explain(Fence.COMPATIBLE, "panic: permission denied"))
                .isEmpty();
        assertThat(explain("Error: chart not found")).isEmpty();
    }

    private String explain(String words) {
        return explain(words, Fence.Network.NONE);
    }

    private String explain(String words, Fence.Network network) {
        Fence fence = new Fence.Strict(
                new FileFence(List.of(Bytes.utf8("/usr")), List.of(Bytes.utf8(own.toString()))), network, false);
        return Refusals.explain(fence, words).orElse("");
    }
}

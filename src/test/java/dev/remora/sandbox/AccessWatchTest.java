package dev.remora.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Processes;
import dev.remora.posix.Spawn;
import dev.remora.posix.SpawnRequest;
import dev.remora.sandbox.Access.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Runs shells and Python under a watch, and looks at what was seen.
@EnabledOnOs(OS.LINUX)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AccessWatchTest {
    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void makeFiles() throws IOException {
        folder = temporary.toRealPath();
        Files.createDirectories(folder.resolve("keys/real"));
        Files.writeString(folder.resolve("keys/real/a"), "key\n");
        Files.createSymbolicLink(folder.resolve("keys/a"), Path.of("real/a"));
        Files.writeString(folder.resolve("b"), "b\n");
    }

    @Test
    void seesAFileReadThroughALinkByBothItsPaths() throws Exception {
        List<Access> seen = watched("read -r x <keys/a; exit 0");
        assertThat(seen).contains(new Access.File(Use.READ, path("keys/a"), path("keys/real/a"), "sh"));
    }

    @Test
    void seesWhatGrandchildrenDo() throws Exception {
        assertThat(watched("(setsid sh -c 'cat b' &) | cat >/dev/null"))
                .contains(new Access.File(Use.READ, path("b"), path("b"), "cat"));
    }

    @Test
    void tellsReadingWritingMakingListingAndRunningApart() throws Exception {
        Files.writeString(folder.resolve("script"), "#!/bin/sh\ntrue\n");
        assertThat(folder.resolve("script").toFile().setExecutable(true)).isTrue();
        List<Access> seen = watched("echo x >>b; echo y >new; rm new; ls keys; ./script; cat missing; mkdir keys/d");
        assertThat(seen)
                .contains(
                        new Access.File(Use.WRITE, path("b"), path("b"), "sh"),
                        new Access.File(Use.CHANGE, path(""), path(""), "sh"),
                        new Access.File(Use.CHANGE, path(""), path(""), "rm"),
                        new Access.File(Use.LIST, path("keys"), path("keys"), "ls"),
                        new Access.File(Use.CHANGE, path("keys"), path("keys"), "mkdir"),
                        new Access.File(Use.EXECUTE, path("script"), path("script"), "sh"));
        assertThat(seen.toString()).doesNotContain("missing");
    }

    @Test
    @SuppressWarnings("StringConcatToTextBlock") // a shell line, in which newlines are Python's
    void seesSocketsAndWhomTheyAddress() throws Exception {
        List<Access> seen = watched("python3 -c '\nimport socket\n"
                + "s = socket.socket(type=socket.SOCK_DGRAM); s.connect((\"127.0.0.1\", 9))\n"
                + "u = socket.socket(socket.AF_UNIX); u.connect_ex(\"nobody\"); u.connect_ex(\"\\0name\")\n'");
        assertThat(seen.stream().filter(access -> !(access instanceof Access.File)))
                .extracting(access -> access.toString().replace(", program=python3", ""))
                .contains(
                        "Socket[family=2]",
                        "Socket[family=1]",
                        "Peer[address=127.0.0.1:9, unix=false, there=true]",
                        "Peer[address=" + path("nobody") + ", unix=true, there=false]",
                        "Peer[address=@name, unix=true, there=true]");
    }

    @Test
    void seesWhatEveryStrictFenceRefuses() throws Exception {
        assertThat(watched("unshare -Ur true")).contains(new Access.Forbidden(Syscall.UNSHARE, "unshare"));
    }

    @Test
    void letsEverythingHappen() throws Exception {
        watched("cat keys/a >copy");
        assertThat(folder.resolve("copy")).hasContent("key");
    }

    private Bytes path(String name) {
        return Bytes.utf8(name.isEmpty() ? folder.toString() : folder + "/" + name);
    }

    @SuppressWarnings("try") // what was seen is complete only when it is closed
    private List<Access> watched(String line) throws InterruptedException {
        try (AccessWatch watch = AccessWatch.open()) {
            Thread thread = Thread.ofPlatform().start(() -> {
                watch.enter();
                run(line);
            });
            thread.join();
            watch.close();
            assertThat(watch.refusal()).isZero();
            return watch.accesses();
        }
    }

    private void run(String line) {
        Descriptors.Pipe pipe = Descriptors.pipe();
        Bytes shell = Bytes.utf8("/bin/sh");
        Bytes variable = Bytes.utf8("PATH=" + System.getenv("PATH"));
        int pid = Spawn.start(new SpawnRequest(
                shell,
                List.of(shell, Bytes.utf8("-c"), Bytes.utf8(line)),
                List.of(variable),
                path(""),
                pipe.writeEnd(),
                pipe.writeEnd()));
        Descriptors.close(pipe.writeEnd());
        while (Processes.reap(pid).isEmpty()) {
            Thread.onSpinWait();
        }
        Descriptors.close(pipe.readEnd());
    }
}

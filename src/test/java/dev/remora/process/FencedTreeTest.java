package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.FileFence;
import dev.remora.testing.NeedsLandlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands behind fences, in this JVM. What only an unprivileged user proves is proven elsewhere.
@NeedsLandlock
class FencedTreeTest {
    private static final List<String> SYSTEM =
            List.of("/usr", "/bin", "/lib", "/lib64", "/etc", "/proc", "/sys/fs/cgroup");
    private static final List<String> DEVICES = List.of("/dev/null", "/dev/zero", "/dev/urandom");

    @TempDir
    private Path folder;

    private final CommandRunner runner = CommandRunner.open(ProcessSettings.standard(Shell.SEARCH_PATH));
    private Path own = Path.of("");
    private Path others = Path.of("");

    @BeforeEach
    void makeFolders() throws IOException {
        own = Files.createDirectory(folder.resolve("own"));
        others = Files.createDirectory(folder.resolve("others"));
        Files.writeString(others.resolve("secret"), "top");
    }

    @AfterEach
    void close() {
        runner.close();
    }

    @Test
    void strictReadsAndWritesItsOwnFolderOnly() {
        assertThat(strict("echo a > f && mkdir d && mv f d/g && ln d/g h && cat h d/g"))
                .isEqualTo("a\na\n");
        assertThat(strict("cat " + others + "/secret || ls " + folder + " || echo x > " + others + "/new || echo no"))
                .isEqualTo("no\n");
        assertThat(strict("ln " + others + "/secret l || cp /etc/hostname " + folder + " || true > " + others
                        + "/secret || mv " + others + "/secret . || echo no"))
                .isEqualTo("no\n");
        assertThat(others.resolve("secret")).hasContent("top");
    }

    @Test
    void strictGoesNoOtherWayThroughALink() {
        assertThat(strict("ln -s " + others + "/secret s; cat s || echo no")).isEqualTo("no\n");
    }

    @Test
    void strictStillHasPipesDescriptorsAndDevices() {
        assertThat(strict("echo a > /dev/null; echo b | cat; echo c > /dev/stdout; echo d > /proc/self/fd/1;"
                        + " bash -c 'cat <(echo e)'; head -c 3 /dev/zero | tr '\\0' z"))
                .isEqualTo("b\nc\nd\ne\nzzz");
    }

    @Test
    void strictCannotMakeSocketsButPairs() {
        assertThat(strict("bash -c 'exec 3<>/dev/tcp/127.0.0.1/1' 2>&1 | grep -q ermission && echo 1;"
                        + " perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0) and print 1; socket(S,PF_INET6,SOCK_DGRAM,0)"
                        + " and print 2; socketpair(A,B,AF_UNIX,SOCK_STREAM,0) and print \"pair\\n\"'"))
                .isEqualTo("1\npair\n");
    }

    @Test
    void bothLevelsDropCapabilitiesAndNewPrivileges() {
        for (Fence fence : List.of(Fence.COMPATIBLE, strict())) {
            assertThat(run(fence, "grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr -s '\\t' ' '"))
                    .isEqualTo("CapInh: 0000000000000000\nCapPrm: 0000000000000000\nCapEff: 0000000000000000\n"
                            + "CapBnd: " + bounding() + "\nCapAmb: 0000000000000000\nNoNewPrivs: 1\nSeccomp: 2\n");
        }
    }

    /// Only who may change the bound can lower it; without, there is nothing to gain.
    private static String bounding() {
        return "root".equals(System.getProperty("user.name")) ? "0000000000000000" : bound();
    }

    private static String bound() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("CapBnd"))
                    .findFirst()
                    .orElseThrow()
                    .substring("CapBnd:\t".length());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void compatibleKeepsFilesAndSockets() {
        assertThat(
                        run(
                                Fence.COMPATIBLE,
                                "cat " + others + "/secret; echo x > " + others + "/new; perl -MSocket -e"
                                        + " 'socket(S,PF_INET,SOCK_STREAM,0) and socket(T,PF_UNIX,SOCK_STREAM,0) and print \"both\"'"))
                .isEqualTo("topboth");
    }

    @Test
    void bothLevelsRefuseNamespacesAndDebuggers() {
        for (Fence fence : List.of(Fence.COMPATIBLE, strict())) {
            assertThat(run(
                            fence,
                            "unshare -Ur true || unshare -m true || perl -e 'exit(syscall(101, 0, 0, 0, 0) == 0 ? 0 : 1)'"
                                    + " || perl -e 'exit(syscall(425, 4, 0) >= 0 ? 0 : 1)' || echo refused"))
                    .isEqualTo("refused\n");
        }
    }

    @Test
    void whatIsLeftBehindAStrictFenceIsEndedWithItsRender() throws IOException {
        String mark = "MARK_" + System.nanoTime();
        try (ProcessTree tree = runner.open("t", Shell.limits(), strict())) {
            tree.run(Shell.marked(own, mark, ProcessTreeContract.DAEMON), TimeLimits.NONE, new Cancellation());
            assertThat(Alive.bearing(mark)).isNotEmpty();
        }
        assertThat(Alive.bearing(mark)).isEmpty();
    }

    private Fence strict() {
        return new Fence.Strict(
                new FileFence(
                        SYSTEM.stream().map(Bytes::utf8).toList(),
                        Stream.concat(DEVICES.stream(), Stream.of(own.toString()))
                                .map(Bytes::utf8)
                                .toList()),
                Fence.Network.NONE,
                false);
    }

    private String strict(String script) {
        return run(strict(), script);
    }

    private String run(Fence fence, String script) {
        try (ProcessTree tree = runner.open("t", Shell.limits(), fence)) {
            Outcome outcome = tree.run(Shell.script(own, script), TimeLimits.NONE, new Cancellation());
            assertThat(outcome).isInstanceOf(Outcome.Exited.class);
            return Shell.stdout(outcome);
        }
    }
}

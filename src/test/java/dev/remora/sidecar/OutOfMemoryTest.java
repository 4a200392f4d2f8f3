package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remora.fault.Fault;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server in a memory cgroup of its own, as in a container: a command that takes all of it is killed by the kernel,
/// and the caller is told so, unlike of a command that somebody killed.
class OutOfMemoryTest {
    private static final SmallArchive ARCHIVE = SmallArchive.of(Map.of("x.yaml", "a: 1\n"));
    private static final long LIMIT = 500L << 20;

    @TempDir
    Path folder;

    @Test
    void aCommandThatTheKernelKillsForMemoryIsToldAsThat() throws Exception {
        Optional<Path> made = group();
        assumeTrue(made.isPresent(), "needs a writable memory cgroup of version 1 or 2");
        Path group = made.get();
        List<String> inGroup = List.of("sh", "-c", "echo $$ >" + group + "/cgroup.procs && exec \"$0\" \"$@\"");
        Map<String, String> definitions = Map.of(
                "hungry", RunningSidecar.definition("hungry", "exec tail -n 1 /dev/zero"),
                "child", RunningSidecar.definition("child", "tail -n 1 /dev/zero; exit $?"),
                "killed", RunningSidecar.definition("killed", "kill -9 $$"));
        try (ServerProcess server =
                ServerProcess.start(inGroup, System.getProperty("java.class.path"), folder, definitions)) {
            assertThat(words(server, "hungry"))
                    .contains("signal: killed; out of memory: the container's memory limit was reached")
                    .endsWith("[command.out-of-memory]");
            assertThat(words(server, "child")).contains("exit status 137");
            assertThat(words(server, "killed"))
                    .contains("the signal came from outside")
                    .endsWith("[command.killed]");
        } finally {
            RunningSidecar.await(() -> removed(group));
        }
    }

    private static String words(ServerProcess server, String plugin) {
        try (PluginClient client = PluginClient.connect(server.socket(plugin), ClientOptions.DEFAULT)) {
            return Fault.words(
                    catchThrowableOfType(Fault.class, () -> client.generate(ARCHIVE.metadata("."), ARCHIVE.stream())));
        }
    }

    private static Optional<Path> group() throws IOException {
        String name = "remora-test-" + System.nanoTime();
        Path first = Path.of("/sys/fs/cgroup/memory");
        Path second = Path.of("/sys/fs/cgroup");
        Path control = second.resolve("cgroup.subtree_control");
        if (Files.isWritable(first)) {
            return Optional.of(limited(first.resolve(name), "memory.limit_in_bytes"));
        }
        return Files.isWritable(second)
                        && Files.exists(control)
                        && Files.readString(control).contains("memory")
                ? Optional.of(limited(second.resolve(name), "memory.max"))
                : Optional.empty();
    }

    private static Path limited(Path group, String file) throws IOException {
        Files.createDirectory(group);
        Files.writeString(group.resolve(file), Long.toString(LIMIT));
        return group;
    }

    /// Its last process may still be ending.
    private static boolean removed(Path group) {
        try {
            Files.deleteIfExists(group);
            return true;
        } catch (IOException busy) {
            return false;
        }
    }
}

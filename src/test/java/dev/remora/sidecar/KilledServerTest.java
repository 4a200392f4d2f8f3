package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A server that is killed leaves no worker, though the worker takes no hint: the kernel ends it.
@EnabledOnOs(OS.LINUX)
@NeedsTool("python3")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class KilledServerTest {
    private static final SmallArchive ARCHIVE =
            SmallArchive.of(Map.of("x.yaml", "apiVersion: v1\nkind: X\nmetadata: {name: a}\n"));

    @TempDir
    Path folder;

    private static String deaf(String name, String argument) {
        return """
               apiVersion: argoproj.io/v1alpha1
               kind: ConfigManagementPlugin
               metadata: {name: %s}
               spec: {generate: {command: ["false"], args: [%s]}}
               remora: {worker: {command: [python3, %s, --deaf]}}
               """.formatted(
                        name,
                        argument,
                        Path.of("src/test/resources/worker/fake-worker.py").toAbsolutePath());
    }

    @Test
    void anIdleWorkerAndABusyOneWithItsChildDieWithTheServer() throws Exception {
        String mark = "MARK_" + System.nanoTime();
        Path touched = folder.resolve("touched");
        Map<String, String> plugins = Map.of("idle", deaf("idle", "files"), "busy", deaf("busy", "hang with a child"));
        try (ServerProcess server = ServerProcess.start(folder, plugins, mark + "=1", "TOUCH=" + touched)) {
            call(server, "idle");
            CompletableFuture<Void> busy = CompletableFuture.runAsync(() -> call(server, "busy"));
            RunningSidecar.await(() -> Files.exists(touched));
            assertThat(bearing(mark)).isEqualTo(4); // the server, two workers, a child

            server.kill();

            RunningSidecar.await(() -> bearing(mark) == 0);
            assertThat(busy.handle((_, failure) -> failure).get()).isNotNull();
        }
    }

    private static void call(ServerProcess server, String plugin) {
        try (PluginClient client = PluginClient.connect(server.socket(plugin), ClientOptions.DEFAULT)) {
            var _ = client.generate(ARCHIVE.metadata(".", "ARGOCD_APP_PROJECT_NAME", "shop"), ARCHIVE.stream());
        }
    }

    private static long bearing(String mark) {
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            long found = 0;
            for (Path process : processes) {
                found += environment(process).contains(mark + "=") ? 1 : 0;
            }
            return found;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String environment(Path process) {
        try {
            return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}

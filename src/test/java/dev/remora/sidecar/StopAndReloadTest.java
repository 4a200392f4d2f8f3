package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.protocol.PluginClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens to a server over its life: start, changed definitions, probes, stop.
class StopAndReloadTest {
    private static final SmallArchive ARCHIVE =
            SmallArchive.of(Map.of("x.yaml", "apiVersion: v1\nkind: X\nmetadata: {name: a}\n"));
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    Path folder;

    private static String printing(String plugin, String name) {
        return RunningSidecar.definition(
                plugin, "printf 'apiVersion: v1\\nkind: X\\nmetadata: {name: " + name + "}\\n'");
    }

    private static String json(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{\"name\":\"" + name + "\"}}";
    }

    private static HttpResponse<String> get(SidecarServer server, String path) throws IOException {
        InetSocketAddress address = server.httpAddress().orElseThrow();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Test
    void takesAChangedDefinitionOver() throws Exception {
        try (var sidecar = new RunningSidecar(folder, printing("p", "old"))) {
            assertThat(sidecar.generate("p", ARCHIVE, ".")).containsExactly(json("old"));
            sidecar.define(printing("p", "new") + "remora: {limits: {timeout: 7s}}\n");
            RunningSidecar.await(() -> sidecar.logged().contains("reloaded"));
            assertThat(sidecar.logged()).contains("p reloaded: generate.args, limits.timeout changed");
            assertThat(sidecar.generate("p", ARCHIVE, ".")).containsExactly(json("new"));
        }
    }

    @Test
    void takesOverWhatAConfigMapsRenamedLinkShows() throws Exception {
        Path config = Files.createDirectories(folder.resolve("config"));
        for (String version : List.of("..1", "..2")) {
            Files.createDirectory(config.resolve(version));
            Files.writeString(
                    config.resolve(version).resolve("plugin.yaml"), printing("p", "v" + version.substring(2)));
        }
        Files.createSymbolicLink(config.resolve("..data"), Path.of("..1"));
        Files.createSymbolicLink(config.resolve("plugin.yaml"), Path.of("..data/plugin.yaml"));
        try (var sidecar = new RunningSidecar(folder, "")) {
            assertThat(sidecar.generate("p", ARCHIVE, ".")).containsExactly(json("v1"));
            Files.createSymbolicLink(config.resolve("..next"), Path.of("..2"));
            Files.move(
                    config.resolve("..next"), config.resolve("..data"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
            RunningSidecar.await(() -> sidecar.logged().contains("p reloaded"));
            assertThat(sidecar.generate("p", ARCHIVE, ".")).containsExactly(json("v2"));
        }
    }

    @Test
    void keepsTheOldDefinitionWhenTheNewOneIsBad() throws Exception {
        try (var sidecar = new RunningSidecar(folder, printing("p", "old"), RunningSidecar.httpAt(ANY_PORT))) {
            assertThat(get(sidecar.server, "/readyz").body()).isEqualTo("p: ok\n");
            sidecar.define("kind: ConfigManagementPlugin\nmetadata: {name: p}\nspec: {generate: {command: []}}\n");
            RunningSidecar.await(() -> sidecar.logged().contains("p kept: plugin.yaml"));
            assertThat(sidecar.generate("p", ARCHIVE, ".")).containsExactly(json("old"));
            HttpResponse<String> ready = get(sidecar.server, "/readyz");
            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(ready.body())
                    .startsWith("p: kept the old definition: plugin.yaml:")
                    .contains("spec.generate command should be non-empty");
            assertThat(get(sidecar.server, "/metrics").body())
                    .contains(
                            "remora_plugin_reloads_total{plugin=\"p\",result=\"kept\"} 1",
                            "remora_plugin_definition_ok{plugin=\"p\"} 0");
            sidecar.define(printing("p", "mended"));
            RunningSidecar.await(() -> sidecar.logged().contains("p reloaded"));
            assertThat(get(sidecar.server, "/metrics").body()).contains("remora_plugin_definition_ok{plugin=\"p\"} 1");
        }
    }

    @Test
    void keepsWhatItHasWhenTheFileIsGone() throws Exception {
        try (var sidecar = new RunningSidecar(folder, printing("p", "old"))) {
            Files.delete(folder.resolve("config/plugin.yaml"));
            RunningSidecar.await(() -> sidecar.logged().contains("plugin definitions kept"));
            assertThat(sidecar.generate("p", ARCHIVE, ".")).containsExactly(json("old"));
        }
    }

    @Test
    void opensAndClosesSocketsAsDefinitionsComeAndGo() throws Exception {
        Path config = Files.createDirectories(folder.resolve("config"));
        Files.writeString(config.resolve("one.yaml"), printing("one", "v1"));
        Files.createDirectory(config.resolve("two"));
        Files.writeString(config.resolve("two/plugin.yaml"), printing("two", "v2"));
        Files.writeString(config.resolve(".hidden.yaml"), "not: read\n");
        try (var sidecar = new RunningSidecar(folder, "")) {
            assertThat(sidecar.generate("one", ARCHIVE, ".")).containsExactly(json("v1"));
            assertThat(sidecar.generate("two", ARCHIVE, ".")).containsExactly(json("v2"));
            Files.writeString(config.resolve("three.yaml"), printing("three", "v3"));
            RunningSidecar.await(() -> Files.exists(sidecar.socket("three")));
            assertThat(sidecar.generate("three", ARCHIVE, ".")).containsExactly(json("v3"));
            Files.delete(config.resolve("one.yaml"));
            RunningSidecar.await(() -> Files.notExists(sidecar.socket("one")));
            assertThat(sidecar.generate("two", ARCHIVE, ".")).containsExactly(json("v2"));
        }
        assertThat(folder.resolve("s")).isEmptyDirectory();
    }

    @Test
    void refusesTwoDefinitionsForOneSocketAndTellsAllFaultsAtOnce() throws Exception {
        Path config = Files.createDirectories(folder.resolve("config"));
        Files.writeString(config.resolve("a.yaml"), printing("same", "v1"));
        Files.writeString(config.resolve("b.yaml"), printing("same", "v2"));
        assertThatThrownBy(() -> new RunningSidecar(folder, ""))
                .hasFieldOrPropertyWithValue("code", FaultCode.SOCKET_CLASH)
                .hasMessageContaining("b.yaml and a.yaml both define same");
        Files.writeString(config.resolve("c.yaml"), "kind: Wrong\n");
        assertThatThrownBy(() -> new RunningSidecar(folder, ""))
                .hasMessageContaining("both define same")
                .hasMessageContaining("c.yaml:");
        assertThat(folder.resolve("s")).isEmptyDirectory();
    }

    @Test
    void finishesRunningCallsBeforeItStops() throws Exception {
        String slow = RunningSidecar.definition(
                "p",
                "touch " + folder + "/began; sleep 1; printf 'apiVersion: v1\\nkind: X\\nmetadata: {name: late}\\n'");
        List<String> answers = Collections.synchronizedList(new ArrayList<>());
        try (var sidecar = new RunningSidecar(folder, slow);
                PluginClient idle = sidecar.client("p")) {
            idle.check();
            Thread caller = Thread.ofVirtual().start(() -> answers.addAll(sidecar.generate("p", ARCHIVE, ".")));
            RunningSidecar.await(() -> Files.exists(folder.resolve("began")));
            sidecar.server.stop("SIGTERM");
            RunningSidecar.await(() -> Files.notExists(sidecar.socket("p")));
            assertThatThrownBy(() -> sidecar.generate("p", ARCHIVE, "."))
                    .hasFieldOrPropertyWithValue("code", FaultCode.HOST_UNREACHABLE);
            long start = System.nanoTime();
            sidecar.server.awaitStopped();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            caller.join();
            assertThat(answers).containsExactly(json("late"));
            assertThat(sidecar.logged()).contains("stopping: SIGTERM; 1 call(s)", "\"msg\":\"stopped\"");
        }
    }

    @Test
    void putsASocketBackThatSomebodyRemovedWhileACallRuns() throws Exception {
        String slow = RunningSidecar.definition(
                "p",
                "touch " + folder + "/began; while [ ! -e " + folder + "/go ]; do sleep 0.05; done; "
                        + "printf 'apiVersion: v1\\nkind: X\\nmetadata: {name: late}\\n'");
        List<String> answers = Collections.synchronizedList(new ArrayList<>());
        try (var sidecar = new RunningSidecar(folder, slow)) {
            Thread caller = Thread.ofVirtual().start(() -> answers.addAll(sidecar.generate("p", ARCHIVE, ".")));
            RunningSidecar.await(() -> Files.exists(folder.resolve("began")));
            Files.delete(sidecar.socket("p"));
            RunningSidecar.await(() -> sidecar.logged().contains("was removed by somebody; it is there again"));
            Files.createFile(folder.resolve("go"));
            assertThat(sidecar.generate("p", ARCHIVE, ".")).containsExactly(json("late"));
            caller.join();
            assertThat(answers).containsExactly(json("late"));
            sidecar.server.stop("SIGTERM");
            sidecar.server.awaitStopped();
            assertThat(folder.resolve("s")).isEmptyDirectory();
        }
    }

    @Test
    void saysOnceThatASocketWasTakenAndLeavesItToItsNewOwner() throws Exception {
        try (var sidecar = new RunningSidecar(folder, printing("p", "x"))) {
            Files.delete(sidecar.socket("p"));
            Files.writeString(sidecar.socket("p"), "another's");
            RunningSidecar.await(() -> sidecar.logged().contains("another server has taken its place"));
            Thread.sleep(300);
            assertThat(sidecar.logged().split("another server has taken its place", -1))
                    .hasSize(2);
            assertThat(sidecar.socket("p")).hasContent("another's");
        }
    }

    @Test
    void goesOnAfterAStopWhereArgoCdsWayIsAskedFor() throws Exception {
        try (var sidecar = new RunningSidecar(
                        folder,
                        printing("p", "x"),
                        options -> options.with(
                                options.rules().withDepartures(dev.remora.plugin.Departures.parse("stop"))));
                PluginClient open = sidecar.client("p")) {
            sidecar.server.stop("SIGTERM");
            assertThat(sidecar.socket("p")).doesNotExist();
            assertThat(RunningSidecar.texts(open.generate(ARCHIVE.metadata("."), ARCHIVE.stream())))
                    .containsExactly(json("x"));
        }
    }

    @Test
    void logsWhatASuccessfulCommandSaidButNotWhatItPrinted() throws Exception {
        String talking = RunningSidecar.definition(
                "p", "echo 'a note' >&2; printf 'apiVersion: v1\\nkind: X\\nmetadata: {name: confidential}\\n'");
        try (var sidecar = new RunningSidecar(folder, talking)) {
            sidecar.generate("p", ARCHIVE, ".");
            RunningSidecar.await(() -> sidecar.logged().contains("GenerateManifest"));
            assertThat(sidecar.logged()).contains("\"stderr\":\"a note\"").doesNotContain("confidential");
        }
    }

    @Test
    void cancelsCallsThatOutlastTheGrace() throws Exception {
        String endless = RunningSidecar.definition("p", "touch " + folder + "/began; sleep 60");
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        try (var sidecar = new RunningSidecar(
                folder, endless, options -> options.with(options.times().withGrace(Duration.ofMillis(300))))) {
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    sidecar.generate("p", ARCHIVE, ".");
                } catch (Fault fault) {
                    failures.add(Fault.words(fault));
                }
            });
            RunningSidecar.await(() -> Files.exists(folder.resolve("began")));
            sidecar.server.stop("SIGTERM");
            sidecar.server.awaitStopped();
            caller.join();
        }
        assertThat(failures)
                .singleElement(org.assertj.core.api.InstanceOfAssertFactories.STRING)
                .contains("the plugin server is stopping (SIGTERM) and its grace of ")
                .endsWith("[call.cancelled]");
    }

    @Test
    void servesPagesAndFigures() throws Exception {
        try (var sidecar = new RunningSidecar(folder, printing("p", "x"), RunningSidecar.httpAt(ANY_PORT))) {
            sidecar.generate("p", ARCHIVE, ".", "ARGOCD_APP_PROJECT_NAME", "payments");
            RunningSidecar.await(() -> sidecar.logged().contains("GenerateManifest"));
            assertThat(get(sidecar.server, "/healthz").body()).isEqualTo("ok\n");
            assertThat(get(sidecar.server, "/plugins").body())
                    .contains("\"schema\":\"remora/plugins/v1\"", "\"name\":\"p\"", "\"running\":0");
            assertThat(get(sidecar.server, "/metrics").body())
                    .contains(
                            "remora_calls_total{grpc_code=\"OK\",kind=\"\",method=\"GenerateManifest\",outcome=\"ok\","
                                    + "plugin=\"p\",project=\"payments\"} 1",
                            "remora_call_phase_seconds_count{method=\"GenerateManifest\",phase=\"generate\",plugin=\"p\"} 1",
                            "remora_calls_running 0",
                            "remora_calls_queued{plugin=\"p\"} 0");
            assertThat(get(sidecar.server, "/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void limitsCallsAtOnceAndCountsTheWait() throws Exception {
        String counting = RunningSidecar.definition(
                        "p",
                        "mkdir " + folder + "/lock || exit 9; sleep 0.2; rmdir " + folder
                                + "/lock; printf 'apiVersion: v1\\nkind: X\\nmetadata: {name: x}\\n'")
                + "remora: {limits: {parallel: 1}}\n";
        List<String> answers = Collections.synchronizedList(new ArrayList<>());
        try (var sidecar = new RunningSidecar(folder, counting)) {
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(Thread.ofVirtual().start(() -> answers.addAll(sidecar.generate("p", ARCHIVE, "."))));
            }
            for (Thread caller : callers) {
                caller.join();
            }
        }
        assertThat(answers).hasSize(4).containsOnly(json("x"));
    }
}

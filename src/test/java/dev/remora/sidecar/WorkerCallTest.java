package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.testing.NeedsLandlock;
import dev.remora.testing.NeedsTool;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A whole server whose plugin has a worker beside its command.
@EnabledOnOs(OS.LINUX)
@NeedsTool("python3")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WorkerCallTest {
    private static final String WORKER =
            Path.of("src/test/resources/worker/fake-worker.py").toAbsolutePath().toString();
    private static final String PROJECT = "ARGOCD_APP_PROJECT_NAME";
    private static final SmallArchive ARCHIVE = SmallArchive.of(Map.of(
            "app/x.yaml",
            "apiVersion: v1\nkind: X\nmetadata: {name: from-file}\n",
            "other.yaml",
            "apiVersion: v1\nkind: X\nmetadata: {name: other}\n"));
    private static final String BY_FILE =
            "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{\"name\":\"from-file\"}}";
    private static final String BY_COMMAND =
            "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{\"name\":\"by-command\"}}";

    @TempDir
    Path folder;

    /// The command says that it was the command; the worker does what its first argument says.
    private static String plugin(String argument, String more) {
        return """
               apiVersion: argoproj.io/v1alpha1
               kind: ConfigManagementPlugin
               metadata: {name: p}
               spec:
                 generate:
                   command: [sh, -c, 'printf "apiVersion: v1\\nkind: X\\nmetadata: {name: by-command}\\n"']
                   args: [%s]
               remora:
                 worker: {command: [python3, %s]}
               %s
               """.formatted(argument, WORKER, more.indent(2));
    }

    @Test
    void aWorkerRendersTheApplicationsFolder() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("files", ""))) {
            assertThat(sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop")).containsExactly(BY_FILE);
            assertThat(sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop")).containsExactly(BY_FILE);

            assertThat(sidecar.logged()).contains("\"ran_by\":\"worker\"", "\"stderr\":\"rendering\"");
        }
    }

    @Test
    void theRequestsVariablesReachTheWorker() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("object", ""))) {
            assertThat(sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop", "ARGOCD_ENV_NAME", "one"))
                    .singleElement()
                    .asString()
                    .contains("\"name\":\"one\"");
            assertThat(sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop", "ARGOCD_ENV_NAME", "two"))
                    .singleElement()
                    .asString()
                    .contains("\"name\":\"two\"");
        }
    }

    @Test
    void aCallThatNamesNoProjectRunsTheCommand() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("files", ""))) {
            assertThat(sidecar.generate("p", ARCHIVE, "app")).containsExactly(BY_COMMAND);

            assertThat(sidecar.logged()).contains("\"ran_by\":\"command (no project)\"");
        }
    }

    @Test
    void aWorkerThatCrashesIsRenderedByTheCommandOnceAndSaidSo() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("crash", ""), WorkerCallTest::withHttp)) {
            assertThat(sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop")).containsExactly(BY_COMMAND);

            assertThat(sidecar.logged())
                    .contains(
                            "\"ran_by\":\"command (worker: crash)\"",
                            "worker failed, the command is run: it ended with exit status 139: segmentation fault");
            assertThat(metrics(sidecar))
                    .contains(
                            "remora_worker_failovers_total{plugin=\"p\",reason=\"crash\"} 1.0",
                            "remora_worker_ends_total{plugin=\"p\",reason=\"crash\"} 1.0",
                            "remora_worker_starts_total{plugin=\"p\"} 1.0",
                            "remora_workers_alive 0.0");
        }
    }

    @Test
    void figuresTellOfWorkersAtWork() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("files", ""), WorkerCallTest::withHttp)) {
            List<String> _ = sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop");
            List<String> _ = sidecar.generate("p", ARCHIVE, "app");

            assertThat(metrics(sidecar))
                    .contains(
                            "remora_workers_alive 1.0",
                            "remora_worker_requests_total{plugin=\"p\"} 1.0",
                            "remora_worker_refusals_total{plugin=\"p\",reason=\"no project\"} 1.0");
        }
    }

    @Test
    void whatAWorkerPrintsPassesTheSameGuards() throws Exception {
        SmallArchive cipher = SmallArchive.of(Map.of(
                "app/x.yaml", "apiVersion: v1\nkind: X\nmetadata: {name: a}\nsops: {mac: 'ENC[AES256_GCM,data:x]'}\n"));
        try (var sidecar = new RunningSidecar(folder, plugin("files", ""))) {
            assertThatThrownBy(() -> sidecar.generate("p", cipher, "app", PROJECT, "shop"))
                    .hasMessageContaining("sops");
            SmallArchive nothing = SmallArchive.of(Map.of("app/x.txt", ""));
            assertThatThrownBy(() -> sidecar.generate("p", nothing, "app", PROJECT, "shop"))
                    .hasMessageContaining("printed no object");
        }
    }

    @Test
    void aFailedRenderTellsWhatTheWorkerSaid() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("fail", ""))) {
            assertThatThrownBy(() -> sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop"))
                    .hasMessageContaining("fake-worker.py fail` failed exit status 3: no such chart\nsee above");
            assertThat(sidecar.logged()).contains("\"ran_by\":\"worker\"");
        }
    }

    @Test
    void aLimitEndsTheRequestAndNamesItself() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("hang", "limits: {timeout: 500ms}"))) {
            assertThatThrownBy(() -> sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop"))
                    .hasMessageContaining("limits.timeout of 500ms ran out in generate");
        }
    }

    @Test
    void aCallerWhoGoesEndsTheRequest() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("hang", ""), WorkerCallTest::withHttp)) {
            ClientOptions impatient = ClientOptions.DEFAULT.withDeadline(Duration.ofMillis(1500));
            try (PluginClient client = sidecar.client("p", impatient)) {
                assertThatThrownBy(() -> client.generate(ARCHIVE.metadata("app", PROJECT, "shop"), ARCHIVE.stream()))
                        .isInstanceOfSatisfying(
                                Fault.class,
                                fault ->
                                        assertThat(fault.code()).isIn(FaultCode.CALL_DEADLINE, FaultCode.HOST_REFUSED));
            }
            RunningSidecar.await(
                    () -> metrics(sidecar).contains("remora_worker_ends_total{plugin=\"p\",reason=\"stopped\"}"));
        }
    }

    @Test
    void outputBeyondTheLimitIsRefused() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("large, '2000'", "limits: {output: 1000}"))) {
            assertThatThrownBy(() -> sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop"))
                    .hasMessageContaining("because it printed more than 1000 bytes");
        }
    }

    @Test
    void aChangedDefinitionEndsTheOldOnesWorkers() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("files", ""), WorkerCallTest::withHttp)) {
            assertThat(sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop")).containsExactly(BY_FILE);

            sidecar.define(plugin("files", "limits: {timeout: 7s}"));

            RunningSidecar.await(
                    () -> metrics(sidecar).contains("remora_worker_ends_total{plugin=\"p\",reason=\"changed\"} 1.0"));
            assertThat(sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop")).containsExactly(BY_FILE);
        }
    }

    @Test
    void initRunsAsACommandBeforeTheWorkerIsAsked() throws Exception {
        String definition = plugin("files", "")
                .replace("spec:\n", "spec:\n  init: {command: [sh, -c, 'sed -i s/from-file/by-init/ x.yaml']}\n");
        try (var sidecar = new RunningSidecar(folder, definition)) {
            assertThat(sidecar.generate("p", ARCHIVE, "app", PROJECT, "shop"))
                    .singleElement()
                    .asString()
                    .contains("\"name\":\"by-init\"");
            assertThat(sidecar.logged()).contains("\"ran_by\":\"worker\"");
        }
    }

    /// The worker's own folder holds those of its calls, and nothing else may be written.
    @Test
    @NeedsLandlock
    void aStrictWorkerReachesItsCallsFoldersAndNothingElse() throws Exception {
        Path outside = Files.writeString(folder.resolve("outside"), "a neighbour's");
        try (var sidecar = new RunningSidecar(folder, plugin("reach", "sandbox: {network: none}"))) {
            for (int i = 0; i < 2; i++) {
                assertThat(sidecar.generate(
                                "p", ARCHIVE, "app", PROJECT, "shop", "ARGOCD_ENV_OUTSIDE", outside.toString()))
                        .singleElement()
                        .asString()
                        .contains(
                                "\"write-workspace\": \"done\"",
                                "\"write-root\": \"done\"",
                                "\"write-home\": \"done\"",
                                "\"write-tmp\": \"done\"",
                                "\"write-outside\": \"PermissionError\"",
                                "\"read-outside\": \"PermissionError\"");
            }
            assertThat(sidecar.logged().lines().filter(line -> line.contains("\"ran_by\":\"worker\"")))
                    .hasSize(2);
            assertThat(places()).as("only the worker's own").hasSize(1);
        }
    }

    @Test
    @NeedsLandlock
    void aStrictWorkerThatSpoilsItsFolderHurtsNobodysNextCall() throws Exception {
        try (var sidecar = new RunningSidecar(folder, plugin("reach, break", "sandbox: {network: none}"))) {
            String[] environment = {PROJECT, "shop", "ARGOCD_ENV_OUTSIDE", "/nowhere"};
            assertThat(sidecar.generate("p", ARCHIVE, "app", environment)).hasSize(1);
            assertThat(sidecar.generate("p", ARCHIVE, "app", environment)).hasSize(1);
        }
        try (Stream<Path> left = Files.list(folder.resolve("work/_cmp_server"))) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("remora-")))
                    .isEmpty();
        }
    }

    private List<Path> places() throws Exception {
        try (Stream<Path> servers = Files.list(folder.resolve("work/_cmp_server"))) {
            Path own = servers.filter(Files::isDirectory).findFirst().orElseThrow();
            RunningSidecar.await(() -> list(own).size() <= 1);
            return list(own);
        }
    }

    private static List<Path> list(Path own) {
        try (Stream<Path> places = Files.list(own)) {
            return places.filter(Files::isDirectory).toList();
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStopEndsAllWorkers() throws Exception {
        SmallArchive archive = SmallArchive.of(Map.of("x.yaml", "apiVersion: v1\nkind: X\nmetadata: {name: a}\n"));
        String mark = "MARK_" + System.nanoTime();
        UnaryOperator<ServeOptions> marked = options -> new ServeOptions(
                options.places(),
                options.times(),
                options.rules(),
                options.outlets(),
                new ServeOptions.Surroundings("v0", System.getenv(), Map.of(mark, "1")));
        try (var sidecar = new RunningSidecar(folder, plugin("leave", ""), marked)) {
            assertThatThrownBy(() -> sidecar.generate("p", archive, ".", PROJECT, "shop"))
                    .hasMessageContaining("apiVersion");
            assertThat(bearing(mark)).isEqualTo(1);
        }

        assertThat(bearing(mark)).isZero();
    }

    private static long bearing(String mark) throws Exception {
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            long found = 0;
            for (Path process : processes) {
                found += environment(process).contains(mark + "=") ? 1 : 0;
            }
            return found;
        }
    }

    private static String environment(Path process) {
        try {
            return Files.readString(process.resolve("environ"), java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (java.io.IOException e) {
            return "";
        }
    }

    private static ServeOptions withHttp(ServeOptions options) {
        return options.with(new ServeOptions.Outlets(
                Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), Optional.empty()));
    }

    private static String metrics(RunningSidecar sidecar) {
        InetSocketAddress address = sidecar.server.httpAddress().orElseThrow();
        URI uri = URI.create("http://127.0.0.1:" + address.getPort() + "/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

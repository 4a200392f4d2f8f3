package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.plugin.Departures;
import dev.remora.protocol.PluginClient;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.wire.RepositoryResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers and verdicts that are given again, of a real server.
class ReuseTest {
    private static final SmallArchive ARCHIVE = archive("one", "first");
    /// The same application; only what `inputs` leaves out differs.
    private static final SmallArchive OTHER_REVISION = archive("one", "second");

    private static final SmallArchive CHANGED = archive("two", "second");

    @TempDir
    Path folder;

    private static SmallArchive archive(String name, String readme) {
        return SmallArchive.of(Map.of(
                "app/cm.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}\n".formatted(name),
                "README",
                readme));
    }

    @Test
    void theSameArchiveIsAnsweredWithoutRunning() throws Exception {
        try (var sidecar = sidecar("results: true")) {
            List<String> first = generate(sidecar, ARCHIVE);

            assertThat(generate(sidecar, ARCHIVE)).isEqualTo(first).hasSize(1);
            assertThat(runs()).isEqualTo(1);
            assertThat(sidecar.logged())
                    .contains("\"cache\":\"miss\",\"cache_reason\":\"the first call of this Application\"")
                    .contains("\"cache\":\"hit\",\"cache_reason\":\"made ");
        }
    }

    @Test
    void whatInputsLeavesOutMayChange() throws Exception {
        try (var sidecar = sidecar("results: true")) {
            generate(sidecar, ARCHIVE);
            assertThat(generate(sidecar, OTHER_REVISION).getFirst()).contains("one");
            assertThat(runs()).isEqualTo(1);

            assertThat(generate(sidecar, CHANGED).getFirst()).contains("two");
            assertThat(runs()).isEqualTo(2);
            assertThat(sidecar.logged()).contains("\"cache_reason\":\"the inputs changed\"");
        }
    }

    @Test
    void aVariableThatChangesMakesAMissUnlessItIsIgnored() throws Exception {
        try (var sidecar = sidecar("results: true, ignore: [ARGOCD_APP_REVISION*]")) {
            generate(sidecar, ARCHIVE, "ARGOCD_APP_REVISION", "1", "PARAM_X", "1");
            generate(sidecar, ARCHIVE, "ARGOCD_APP_REVISION", "2", "PARAM_X", "1");
            assertThat(runs()).isEqualTo(1);

            generate(sidecar, ARCHIVE, "ARGOCD_APP_REVISION", "2", "PARAM_X", "2");
            assertThat(runs()).isEqualTo(2);
            assertThat(sidecar.logged()).contains("\"cache_reason\":\"PARAM_X changed\"");
        }
    }

    @Test
    void anApplicationCanAskForAFreshAnswer() throws Exception {
        try (var sidecar = sidecar("results: true")) {
            generate(sidecar, ARCHIVE);
            generate(sidecar, ARCHIVE, "ARGOCD_ENV_REMORA_NO_CACHE", "1");
            assertThat(runs()).isEqualTo(2);
            assertThat(sidecar.logged())
                    .contains("\"cache\":\"skipped\",\"cache_reason\":\"ARGOCD_ENV_REMORA_NO_CACHE is set\"");

            generate(sidecar, ARCHIVE, "ARGOCD_ENV_REMORA_NO_CACHE", "0");
            assertThat(runs()).isEqualTo(2);
        }
    }

    @Test
    void anErrorIsMadeAgain() throws Exception {
        String definition = definition("failing", "echo run >> " + folder + "/runs; exit 3", "results: true");
        try (var sidecar = new RunningSidecar(folder, definition)) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> sidecar.generate("failing", ARCHIVE, "app"))
                        .hasMessageEndingWith("[command.failed]");
            }
            assertThat(runs()).isEqualTo(2);
        }
    }

    @Test
    void anAnswerThatIsTooOldIsMadeAgain() throws Exception {
        try (var sidecar = sidecar("results: true, maxAge: 1ms")) {
            generate(sidecar, ARCHIVE);
            Thread.sleep(5);
            generate(sidecar, ARCHIVE);
            assertThat(runs()).isEqualTo(2);
            assertThat(sidecar.logged()).contains("\"cache_reason\":\"older than remora.cache.maxAge\"");
        }
    }

    @Test
    void aDefinitionThatIsChangedWhileItIsServedMakesAMiss() throws Exception {
        try (var sidecar = sidecar("results: true")) {
            generate(sidecar, ARCHIVE);
            sidecar.define(counting("results: true").replace("cat *.yaml", "sed s/one/two/ *.yaml"));

            String answer = "";
            for (int i = 0; i < 500 && runs() == 1; i++) {
                Thread.sleep(20);
                answer = String.join("", generate(sidecar, ARCHIVE));
            }
            assertThat(answer).contains("\"name\":\"two\"");
            assertThat(sidecar.logged()).contains("\"cache_reason\":\"the definition changed\"");
        }
    }

    @Test
    void anotherVersionOfAToolMakesAMiss() throws Exception {
        Path tool = folder.resolve("tool.sh");
        Files.writeString(tool, "cat *.yaml # 1\n");
        try (var sidecar = new RunningSidecar(
                folder, definition("cat", "echo run >> " + folder + "/runs; sh " + tool, "results: true"))) {
            generate(sidecar, ARCHIVE);
            generate(sidecar, ARCHIVE);
            assertThat(runs()).isEqualTo(1);
            Files.writeString(tool, "cat *.yaml # the second version\n");

            generate(sidecar, ARCHIVE);
            assertThat(runs()).isEqualTo(2);
            assertThat(sidecar.logged()).contains("\"cache_reason\":\"a tool changed\"");
        }
    }

    @Test
    void callsAtOnceShareOneRender() throws Exception {
        String slow = "echo run >> " + folder + "/runs; sleep 1; cat *.yaml";
        try (var sidecar = new RunningSidecar(folder, definition("cat", slow, "results: true"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<String>>> calls = List.of(
                    threads.submit(() -> generate(sidecar, ARCHIVE)),
                    threads.submit(() -> generate(sidecar, ARCHIVE)),
                    threads.submit(() -> generate(sidecar, ARCHIVE)));
            for (Future<List<String>> call : calls) {
                assertThat(call.get()).hasSize(1);
            }
            assertThat(runs()).isEqualTo(1);
        }
    }

    @Test
    void nothingIsReusedWithoutTheSettingOrWithoutRoom() throws Exception {
        try (var sidecar = sidecar("results: false")) {
            generate(sidecar, ARCHIVE);
            generate(sidecar, ARCHIVE);
            assertThat(runs()).isEqualTo(2);
            assertThat(sidecar.logged()).doesNotContain("\"cache\":");
        }
        Files.delete(folder.resolve("runs"));
        UnaryOperator<ServeOptions> noRoom =
                options -> options.with(options.rules().withCacheBytes(0));
        try (var sidecar = new RunningSidecar(folder, counting("results: true"), noRoom)) {
            generate(sidecar, ARCHIVE);
            generate(sidecar, ARCHIVE);
            assertThat(runs()).isEqualTo(2);
            assertThat(sidecar.logged()).contains("\"cache_reason\":\"the server's --cache-size-mb is 0\"");
        }
    }

    @Test
    void whatIsKnownOfAnArchiveIsWorthNothingWhenAnotherArrives() throws Exception {
        try (var sidecar = sidecar("results: true");
                PluginClient client = sidecar.client("cat")) {
            ManifestRequestMetadata known = ARCHIVE.metadata("app");
            client.generate(known, ARCHIVE.stream());
            client.match(known, ARCHIVE.stream());

            assertThatThrownBy(() -> client.generate(known, CHANGED.stream()))
                    .hasMessageEndingWith("[stream.checksum]");
            assertThatThrownBy(() -> client.match(known, CHANGED.stream())).hasMessageEndingWith("[stream.checksum]");
        }
    }

    @Test
    void anArchiveIsJudgedOnceForEachPathAndDefinition() throws Exception {
        try (var sidecar = sidecar("trace: false");
                PluginClient client = sidecar.client("cat")) {
            for (int i = 0; i < 2; i++) {
                RepositoryResponse yes = client.match(ARCHIVE.metadata("app"), ARCHIVE.stream());
                assertThat(yes.getIsSupported()).isTrue();
                RepositoryResponse no = client.match(ARCHIVE.metadata("."), ARCHIVE.stream());
                assertThat(no.getIsSupported()).isFalse();
                assertThat(no.getIsDiscoveryEnabled()).isTrue();
            }
            assertThat(sidecar.logged().split("this archive was judged before", -1))
                    .hasSize(3);
            assertThat(sidecar.logged().split("this archive was not judged before", -1))
                    .hasSize(3);
        }
    }

    /// In a fresh folder, in one that is lent again, and where none is.
    @ParameterizedTest
    @ValueSource(strings = {"", "recycle"})
    void aMissedInputIsToldWithEveryTree(String departures) throws Exception {
        String definition = RunningSidecar.definition("cat", "cat ../README") + "remora: {inputs: ['{app}/**']}\n";
        UnaryOperator<ServeOptions> as = options -> departures.isEmpty()
                ? options
                : options.with(options.rules().withDepartures(Departures.parse(departures)));
        try (var sidecar = new RunningSidecar(folder, definition, as)) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> generate(sidecar, ARCHIVE))
                        .hasMessageContaining("README exists in the repository but not in remora.inputs")
                        .hasMessageContaining("add \"/README\"");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "recycle"})
    void inputsAreKnownOfEveryTree(String departures) throws Exception {
        UnaryOperator<ServeOptions> as = options -> departures.isEmpty()
                ? options
                : options.with(options.rules().withDepartures(Departures.parse(departures)));
        try (var sidecar = new RunningSidecar(folder, counting("results: true"), as)) {
            generate(sidecar, ARCHIVE, "ARGOCD_ENV_REMORA_NO_CACHE", "1");
            generate(sidecar, ARCHIVE);
            generate(sidecar, OTHER_REVISION);
            generate(sidecar, CHANGED, "ARGOCD_ENV_REMORA_NO_CACHE", "1");
            assertThat(generate(sidecar, CHANGED).getFirst()).contains("two");

            assertThat(runs()).isEqualTo(4);
            assertThat(sidecar.logged()).doesNotContain("was not looked into");
        }
    }

    @Test
    void aTraceTellsWhatEachRenderRead() throws Exception {
        String definition =
                RunningSidecar.definition("cat", "cat cm.yaml; cat ../README >&2") + "remora: {cache: {trace: true}}\n";
        try (var sidecar = new RunningSidecar(folder, definition)) {
            generate(sidecar, ARCHIVE);

            assertThat(sidecar.logged())
                    .contains("opened 2 of 2 files")
                    .contains("\"read\":\"README app/cm.yaml\"")
                    .contains("\"inputs\":\"[\\\"{app}/**\\\", \\\"/README\\\"]\"")
                    .contains("\"generate_paths\":\".;/README\"");
        }
    }

    @Test
    void figuresTellHitsAndMisses() throws Exception {
        try (var sidecar = new RunningSidecar(
                folder,
                counting("results: true"),
                RunningSidecar.httpAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))) {
            generate(sidecar, ARCHIVE);
            generate(sidecar, ARCHIVE);

            assertThat(metrics(sidecar))
                    .containsPattern("remora_cache_questions_total\\{[^}]*outcome=\"hit\"[^}]*reason=\"kept\"} 1")
                    .containsPattern("remora_cache_questions_total\\{[^}]*outcome=\"miss\"[^}]*reason=\"first\"} 1")
                    .contains("remora_cache_results 1");
        }
    }

    private static String metrics(RunningSidecar sidecar) throws IOException, InterruptedException {
        int port = sidecar.server.httpAddress().orElseThrow().getPort();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private List<String> generate(RunningSidecar sidecar, SmallArchive archive, String... environment) {
        return sidecar.generate("cat", archive, "app", environment);
    }

    private int runs() throws IOException {
        return Files.readAllLines(folder.resolve("runs")).size();
    }

    private RunningSidecar sidecar(String cache) throws IOException {
        return new RunningSidecar(folder, counting(cache));
    }

    /// A plugin that leaves a line behind whenever it runs, and wants folders with a YAML file.
    private String counting(String cache) {
        return definition("cat", "echo run >> " + folder + "/runs; cat *.yaml", cache);
    }

    private static String definition(String name, String line, String cache) {
        return RunningSidecar.definition(name, line)
                + "  discover: {fileName: '*.yaml'}\nremora: {inputs: ['{app}/**'], cache: {" + cache + "}}\n";
    }
}

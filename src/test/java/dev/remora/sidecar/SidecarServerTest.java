package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.protocol.TransportLimits;
import dev.remora.wire.EnvEntry;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.wire.VersionServiceGrpc;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Calls of a real server, from the client's side.
class SidecarServerTest {
    private static final String MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: my-map}\ndata: {foo: bar}\n";
    private static final String MAP_JSON =
            "{\"apiVersion\":\"v1\",\"data\":{\"foo\":\"bar\"},\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"my-map\"}}";
    private static final SmallArchive ARCHIVE =
            SmallArchive.of(Map.of("cm.yaml", MAP, "sub/other.yaml", MAP.replace("my-map", "other")));

    @TempDir
    Path folder;

    @Test
    void generatesManifests() throws Exception {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT)) {
            assertThat(sidecar.generate("cat", ARCHIVE, ".")).containsExactly(MAP_JSON);
            assertThat(sidecar.generate("cat", ARCHIVE, "sub")).containsExactly(MAP_JSON.replace("my-map", "other"));
        }
        assertThat(folder.resolve("s")).isEmptyDirectory();
    }

    @Test
    void leavesNoFileOfACall() throws Exception {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT)) {
            sidecar.generate("cat", ARCHIVE, ".");
        }
        try (Stream<Path> left = Files.walk(folder.resolve("work"))) {
            assertThat(left.filter(Files::isRegularFile)
                            .filter(path -> path.toString().endsWith(".yaml")))
                    .isEmpty();
        }
    }

    @Test
    void refusesPathOutsideTheRepository() throws Exception {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT)) {
            assertThatThrownBy(() -> sidecar.generate("cat", ARCHIVE, "../out-of-bounds"))
                    .hasMessageContaining("illegal appPath")
                    .hasMessageEndingWith("[path.outside]")
                    .hasStackTraceContaining("UNKNOWN");
        }
    }

    @Test
    void refusesWrongChecksumBeforeAnythingRuns() throws Exception {
        String touching = RunningSidecar.definition("touch", "touch " + folder + "/ran; cat *.yaml");
        try (var sidecar = new RunningSidecar(folder, touching);
                PluginClient client = sidecar.client("touch")) {
            ManifestRequestMetadata upper = ARCHIVE.metadata(".").toBuilder()
                    .setChecksum(ByteString.copyFromUtf8(ARCHIVE.sha256().toUpperCase(java.util.Locale.ROOT)))
                    .build();
            assertThatThrownBy(() -> client.generate(upper, ARCHIVE.stream()))
                    .hasMessageStartingWith("generate manifest error receiving stream: error receiving tgz file: file"
                            + " checksum validation error: the ")
                    .hasMessageEndingWith("[stream.checksum]");
            assertThat(folder.resolve("ran")).doesNotExist();
        }
    }

    @Test
    void saysHowMuchOfTheArchiveArrived() throws Exception {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT);
                PluginClient client = sidecar.client("cat")) {
            assertThatThrownBy(() -> client.generate(ARCHIVE.metadata("."), java.io.InputStream.nullInputStream()))
                    .hasMessageContaining("0 of " + ARCHIVE.bytes().length + " bytes received");
        }
    }

    @Test
    void refusesArchiveThatIsNone() throws Exception {
        SmallArchive junk = new SmallArchive("not a gzip at all".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT)) {
            assertThatThrownBy(() -> sidecar.generate("cat", junk, "."))
                    .hasMessageStartingWith("generate manifest error receiving stream: error decompressing tgz file: ")
                    .hasMessageEndingWith("[archive.invalid]");
        }
    }

    @Test
    void commandsErrorReachesACallerWhoStillSends() throws Exception {
        String definition = RunningSidecar.definition("p", "cat *.yaml") + "remora: {limits: {nameLength: 3}}\n";
        byte[] noise = new byte[3_000_000];
        new java.util.Random(1).nextBytes(noise);
        SmallArchive large = SmallArchive.of(
                Map.of("a-long-name.yaml", new String(noise, java.nio.charset.StandardCharsets.ISO_8859_1)));
        try (var sidecar = new RunningSidecar(folder, definition)) {
            assertThatThrownBy(() -> sidecar.generate("p", large, ".")).hasMessageEndingWith("[archive.limit]");
        }
    }

    @Test
    void valuesThatAreNotUtf8ArriveIntact() throws Exception {
        String printing = RunningSidecar.definition(
                "env",
                "printf '{\"apiVersion\":\"v1\",\"kind\":\"X\",\"v\":\"%s\"}' \"$(printf %s \"$RAW\" | od -An -tx1 | tr -d ' ')\"");
        try (var sidecar = new RunningSidecar(folder, printing);
                PluginClient client = sidecar.client("env")) {
            ManifestRequestMetadata raw = ARCHIVE.metadata(".").toBuilder()
                    .addEnv(EnvEntry.newBuilder()
                            .setName(ByteString.copyFromUtf8("RAW"))
                            .setValue(ByteString.copyFrom(new byte[] {(byte) 0xff, 'a', (byte) 0x80})))
                    .build();
            assertThat(RunningSidecar.texts(client.generate(raw, ARCHIVE.stream())))
                    .containsExactly("{\"apiVersion\":\"v1\",\"kind\":\"X\",\"v\":\"ff6180\"}");
        }
    }

    @Test
    void answersAboveTheLimitAreRefusedInArgoCdsWords() throws Exception {
        String large = RunningSidecar.definition(
                "large",
                "printf '{\"apiVersion\":\"v1\",\"kind\":\"X\",\"v\":\"'; head -c 1048570 /dev/zero | tr '\\\\0' x; printf '\"}'");
        TransportLimits oneMegabyte = new TransportLimits(1 << 20, Duration.ofSeconds(10));
        try (var sidecar = new RunningSidecar(
                folder, large, options -> options.with(options.rules().withTransport(oneMegabyte)))) {
            assertThatThrownBy(() -> sidecar.generate("large", ARCHIVE, "."))
                    .hasStackTraceContaining("RESOURCE_EXHAUSTED");
        }
    }

    @Test
    void serves50CallsAtOnce() throws Exception {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT);
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<List<String>>> fifty = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                fifty.add(() -> sidecar.generate("cat", ARCHIVE, "."));
            }
            for (Future<List<String>> answer : pool.invokeAll(fifty)) {
                assertThat(answer.get()).containsExactly(MAP_JSON);
            }
        }
    }

    @Test
    void deadlineIsAnsweredBeforeItIsOver() throws Exception {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("slow", "sleep 30"));
                PluginClient client =
                        sidecar.client("slow", ClientOptions.DEFAULT.withDeadline(Duration.ofMillis(1500)))) {
            assertThatThrownBy(() -> client.generate(ARCHIVE.metadata("."), ARCHIVE.stream()))
                    .hasMessageContaining("the caller's ")
                    .hasMessageContaining("ran out in generate")
                    .hasMessageContaining("raise the caller's timeout")
                    .hasMessageEndingWith("[call.deadline]")
                    .hasStackTraceContaining("DEADLINE_EXCEEDED");
        }
    }

    @Test
    void execTimeoutIsNamed() throws Exception {
        try (var sidecar = new RunningSidecar(
                folder,
                RunningSidecar.definition("slow", "sleep 30"),
                options -> options.with(
                        options.times().withExecTimeouts(Duration.ofMillis(400), Duration.ofSeconds(1))))) {
            assertThatThrownBy(() -> sidecar.generate("slow", ARCHIVE, "."))
                    .hasMessageContaining("ARGOCD_EXEC_TIMEOUT of 400ms ran out in generate")
                    .hasMessageEndingWith("[command.timeout]");
        }
    }

    @Test
    void noTimeLeftStartsNoCommand() throws Exception {
        String touching = RunningSidecar.definition("touch", "touch " + folder + "/ran; cat *.yaml");
        try (var sidecar = new RunningSidecar(folder, touching);
                PluginClient client =
                        sidecar.client("touch", ClientOptions.DEFAULT.withDeadline(Duration.ofMillis(120)))) {
            assertThatThrownBy(() -> client.generate(ARCHIVE.metadata("."), ARCHIVE.stream()))
                    .hasStackTraceContaining("DEADLINE_EXCEEDED");
        }
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void callerThatGoesAwayEndsTheCommand() throws Exception {
        String marking = RunningSidecar.definition(
                "slow", "trap 'touch " + folder + "/ended; exit 0' TERM; touch " + folder + "/began; sleep 30 & wait");
        try (var sidecar = new RunningSidecar(folder, marking)) {
            PluginClient client = sidecar.client("slow");
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    client.generate(ARCHIVE.metadata("."), ARCHIVE.stream());
                } catch (Fault gone) {
                    return;
                }
            });
            RunningSidecar.await(() -> Files.exists(folder.resolve("began")));
            client.close();
            RunningSidecar.await(() -> Files.exists(folder.resolve("ended")));
            caller.join();
            RunningSidecar.await(() -> sidecar.logged().contains("call.cancelled"));
        }
    }

    @Test
    void announcesParameters() throws Exception {
        String definition = RunningSidecar.definition("p", "true") + """
                    parameters:
                      static: [{name: static-a, string: x, required: true}, {name: b, array: [one], map: {k: v}}]
                      dynamic: {command: [sh, -c, 'test -n "$MUST" && echo "[{\\"name\\":\\"dynamic\\",\\"string\\":\\"$MUST\\"}]"']}
                  """;
        try (var sidecar = new RunningSidecar(folder, definition);
                PluginClient client = sidecar.client("p")) {
            var answer = client.params(ARCHIVE.metadata(".", "MUST", "yep"), ARCHIVE.stream());
            assertThat(answer.getParameterAnnouncementsList())
                    .extracting(one -> one.getName() + "=" + one.getString())
                    .containsExactly("dynamic=yep", "static-a=x", "b=");
            assertThatThrownBy(() -> client.params(ARCHIVE.metadata(".", "WRONG", "oops"), ARCHIVE.stream()))
                    .hasMessageContaining("error executing dynamic parameter output command");
            assertThatThrownBy(() -> client.params(ARCHIVE.metadata("../out", "MUST", "x"), ARCHIVE.stream()))
                    .hasMessageContaining("illegal appPath");
        }
    }

    @Test
    void staticAnnouncementsNeedNeitherArchiveNorFolder() throws Exception {
        String definition = RunningSidecar.definition("p", "true") + "  parameters: {static: [{name: a}]}\n";
        SmallArchive junk = new SmallArchive(new byte[] {1, 2, 3});
        try (var sidecar = new RunningSidecar(folder, definition);
                PluginClient client = sidecar.client("p")) {
            var answer = client.params(junk.metadata("nowhere"), junk.stream());
            assertThat(answer.getParameterAnnouncementsList())
                    .singleElement()
                    .matches(one -> one.getName().equals("a"));
            assertThatThrownBy(() -> client.params(junk.metadata("../nowhere"), junk.stream()))
                    .hasMessageContaining("illegal appPath: out of workDir bound");
        }
    }

    @Test
    void refusesATooLargeMessageWithItsStatusAndTellsItInTheLog() throws Exception {
        var small = new dev.remora.protocol.TransportLimits(1 << 20, Duration.ofSeconds(10));
        ClientOptions large = ClientOptions.DEFAULT.withChunkBytes(3 << 20);
        try (var sidecar = new RunningSidecar(
                        folder,
                        RunningSidecar.CAT,
                        options -> options.with(options.rules().withTransport(small)));
                PluginClient client = sidecar.client("cat", large)) {
            SmallArchive junk = new SmallArchive(new byte[3 << 20]);
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> client.generate(junk.metadata("."), junk.stream()))
                        .hasStackTraceContaining("RESOURCE_EXHAUSTED")
                        .hasMessageContaining("grpc: received message larger than max (more than 1048576 bytes)")
                        .hasMessageEndingWith("[call.message-too-large]");
            }
            RunningSidecar.await(() -> sidecar.logged().contains("\"code\":\"call.message-too-large\""));
        }
    }

    @Test
    void servesOnlyItsProjects() throws Exception {
        String definition = RunningSidecar.definition("p", "cat *.yaml")
                + "  parameters: {static: [{name: a}], dynamic: {command: [touch, " + folder + "/ran]}}\n"
                + "remora: {projects: [payments]}\n";
        try (var sidecar = new RunningSidecar(folder, definition);
                PluginClient client = sidecar.client("p")) {
            assertThat(sidecar.generate("p", ARCHIVE, ".", "ARGOCD_APP_PROJECT_NAME", "payments"))
                    .hasSize(1);
            assertThatThrownBy(() -> sidecar.generate("p", ARCHIVE, ".", "ARGOCD_APP_PROJECT_NAME", "search"))
                    .hasMessage("AppProject search may not use plugin p; add it to remora.projects in plugin.yaml, or"
                            + " use another plugin [plugin.project]");
            assertThatThrownBy(() -> sidecar.generate("p", ARCHIVE, ".")).hasMessageContaining("this call names none");
            assertThat(client.params(ARCHIVE.metadata("."), ARCHIVE.stream()).getParameterAnnouncementsList())
                    .hasSize(1);
        }
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void tellsItsConfiguration() throws Exception {
        String definition = RunningSidecar.definition("p", "true") + "  provideGitCreds: true\n";
        try (var sidecar = new RunningSidecar(folder, definition);
                PluginClient client = sidecar.client("p")) {
            assertThat(client.check().getProvideGitCreds()).isTrue();
            assertThat(client.check().getIsDiscoveryConfigured()).isFalse();
            assertThat(client.match(ARCHIVE.metadata("."), ARCHIVE.stream())).satisfies(answer -> {
                assertThat(answer.getIsSupported()).isFalse();
                assertThat(answer.getIsDiscoveryEnabled()).isFalse();
            });
        }
    }

    @Test
    void answersHealthAndVersion() throws Exception {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT);
                PluginClient client = sidecar.client("cat")) {
            var health = HealthGrpc.newBlockingStub(client.channel());
            assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatus())
                    .isEqualTo(ServingStatus.SERVING);
            assertThatThrownBy(() -> health.check(
                            HealthCheckRequest.newBuilder().setService("other").build()))
                    .hasMessageContaining("NOT_FOUND");
            var version = VersionServiceGrpc.newBlockingStub(client.channel()).version(Empty.getDefaultInstance());
            assertThat(version.getVersion()).isEqualTo("v0");
            assertThat(version.getPlatform()).startsWith("linux/");
            assertThat(version.getKustomizeVersion()).isNotEmpty();
        }
    }

    @Test
    void logsOneLineACallAndHidesSecrets() throws Exception {
        String failing = RunningSidecar.definition("p", "echo tried $DB_PASSWORD >&2; exit 3");
        try (var sidecar = new RunningSidecar(folder, failing)) {
            assertThatThrownBy(() ->
                            sidecar.generate("p", ARCHIVE, ".", "DB_PASSWORD", "hunter2", "ARGOCD_APP_NAME", "web"))
                    .hasMessageContaining("tried ******")
                    .hasMessageEndingWith("[command.failed]");
            RunningSidecar.await(() -> sidecar.logged().contains("command.failed"));
            assertThat(sidecar.logged())
                    .doesNotContain("hunter2")
                    .containsOnlyOnce("\"application\":\"web\"")
                    .contains("\"grpc.code\":\"Unknown\"", "\"grpc.method\":\"GenerateManifest\"", "\"generate\":");
        }
    }

    @Test
    void refusesABadStart() {
        assertThatThrownBy(() -> new RunningSidecar(folder, ""))
                .hasMessageContaining("plugin.yaml: no such file or directory")
                .hasFieldOrPropertyWithValue("code", FaultCode.CONFIG_UNREADABLE);
        assertThatThrownBy(() -> new RunningSidecar(folder, "kind: Wrong\n"))
                .hasMessageContaining("metadata.name should be non-empty");
        assertThat(folder.resolve("s")).isEmptyDirectory();
    }
}

package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remora.fault.Fault;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Year;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The clock is set while a server works: for years forward and back. A library before libc's makes the server and its
/// commands see that; time that only passes is left alone. (A time namespace cannot do this: it moves no
/// `CLOCK_REALTIME`.)
@NeedsTool("faketime")
class ClockJumpTest {
    private static final SmallArchive ARCHIVE = SmallArchive.of(Map.of("a.yaml", "apiVersion: v1\nkind: A\n"));

    @TempDir
    private Path folder;

    private static Optional<Path> library() {
        return Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu", "")
                .map(triplet -> Path.of("/usr/lib", triplet, "faketime/libfaketime.so.1"))
                .filter(Files::exists)
                .findFirst();
    }

    /// @param offset as `+0` or `-800d`
    private void set(String offset) throws IOException {
        Path next = Files.writeString(folder.resolve("clock.new"), offset + "\n");
        Files.move(next, folder.resolve("clock"), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void renderingTimeoutsAndKeptAnswersGoOnAsIfNothingHadHappened() throws Exception {
        Optional<Path> library = library();
        assumeTrue(library.isPresent(), "faketime is here, and its library is not where it usually is");
        set("+0");
        String wait = "echo $$ > " + folder + "/started; sleep 3; ";
        Map<String, String> plugins = Map.of(
                "now",
                RunningSidecar.definition("now", "date +'{apiVersion: v1, kind: y%Y}'"),
                "slow",
                RunningSidecar.definition("slow", wait + "date +'{apiVersion: v1, kind: y%Y}'"),
                "endless",
                RunningSidecar.definition("endless", wait + "sleep 600") + "remora: {limits: {timeout: 4s}}",
                "kept",
                RunningSidecar.definition(
                                "kept", "echo run >> " + folder + "/runs; date +'{apiVersion: v1, kind: y%Y}'")
                        + "remora: {cache: {results: true, maxAge: 10m}}");
        try (ServerProcess server = ServerProcess.start(
                folder,
                plugins,
                "LD_PRELOAD=" + library.orElseThrow(),
                "FAKETIME_TIMESTAMP_FILE=" + folder.resolve("clock"),
                "FAKETIME_CACHE_DURATION=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1",
                "FAKETIME_DONT_RESET=1",
                "REMORA_WARM_UP=0")) {
            int now = Year.now(java.time.ZoneOffset.UTC).getValue();
            assertThat(generate(server, "kept")).contains("y" + now);

            CompletableFuture<String> forward = duringACall(server, "slow", "+2000d");
            assertThat(forward.get()).as("the jump was seen by the command").contains("y" + year(2000));
            assertThat(generate(server, "kept")).as("the answer of before").contains("y" + now);

            long began = System.nanoTime();
            CompletableFuture<String> back = duringACall(server, "endless", "-2000d");
            assertThat(back.get())
                    .contains("limits.timeout of 4.0s ran out in generate", "limits.timeout", "[command.timeout]");
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(60));
            assertThat(generate(server, "kept")).contains("y" + now);

            assertThat(generate(server, "now")).contains("y" + year(-2000));
            assertThat(Files.readAllLines(folder.resolve("runs"))).hasSize(1);
            assertThat(server.log()).contains("\"time\":\"" + year(2000) + "-", "\"time\":\"" + year(-2000) + "-");
        }
    }

    private static int year(int days) {
        return java.time.LocalDate.now(java.time.ZoneOffset.UTC).plusDays(days).getYear();
    }

    /// Sets the clock as soon as the call's command runs.
    private CompletableFuture<String> duringACall(ServerProcess server, String plugin, String offset) throws Exception {
        Files.deleteIfExists(folder.resolve("started"));
        CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> generate(server, plugin));
        RunningSidecar.await(() -> Files.exists(folder.resolve("started")));
        set(offset);
        return call;
    }

    private static String generate(ServerProcess server, String plugin) {
        List<String> answer;
        try (PluginClient client = PluginClient.connect(server.socket(plugin), ClientOptions.DEFAULT)) {
            answer = RunningSidecar.texts(
                    client.generate(ARCHIVE.metadata(".", "ARGOCD_APP_PROJECT_NAME", "p"), ARCHIVE.stream()));
        } catch (Fault fault) {
            return Fault.words(fault);
        }
        return String.join("", answer);
    }
}

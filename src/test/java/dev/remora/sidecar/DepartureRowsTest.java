package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.workspace.RecycleOptions;
import io.grpc.StatusException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each row of the departures, served once as we do and once as Argo CD does: the same question gets the two answers
/// that the table says. A new row does not compile without one.
class DepartureRowsTest {
    private static final String DOCUMENT = "apiVersion: v1\\nkind: X\\nmetadata: {name: made}\\n";
    private static final String PRINT = "printf '" + DOCUMENT + "'";
    private static final SmallArchive ARCHIVE = SmallArchive.of(Map.of("x.yaml", "a: 1\n"));

    @TempDir
    Path folder;

    /// One question and the two answers.
    private record Row(String remora, String argoCd, Question question) {}

    private interface Question {
        String ask(Path folder, UnaryOperator<ServeOptions> way) throws Exception;
    }

    @ParameterizedTest
    @EnumSource(Departure.class)
    void everyRowDepartsAndCanBeSwitchedBack(Departure departure) throws Exception {
        Row row = row(departure);

        String ours = row.question().ask(folder.resolve("r"), way(Departures.NONE_SWITCHED_BACK));
        String theirs = row.question().ask(folder.resolve("a"), way(Departures.parse(departure.row())));

        assertThat(ours).isEqualTo(row.remora());
        assertThat(theirs).isEqualTo(row.argoCd());
    }

    private static UnaryOperator<ServeOptions> way(Departures departures) {
        return options -> options.with(options.rules().withDepartures(departures));
    }

    private static Row row(Departure departure) {
        return switch (departure) {
            case EXEC_TIMEOUT -> new Row("command.timeout", "1 document", DepartureRowsTest::execTimeout);
            case DEADLINE_CODE ->
                new Row("DEADLINE_EXCEEDED call.deadline", "UNKNOWN signal: killed", DepartureRowsTest::deadline);
            case KILL -> new Row("ended", "alive", DepartureRowsTest::leftover);
            case REAP -> new Row("reaped", "zombie", DepartureRowsTest::orphan);
            case EMPTY_OUTPUT -> new Row("render.empty-output", "0 documents", generating("true"));
            case ANY_DOCUMENT -> new Row("output.not-object", "1 document", generating("echo 'a: 1'"));
            case NOT_UTF8 ->
                new Row(
                        "output.not-utf8",
                        "1 document",
                        generating("printf '{\"apiVersion\":\"v1\",\"kind\":\"\\377\"}'"));
            case LOST_DOCUMENTS ->
                new Row("output.lost-document", "1 document", generating(PRINT + "; printf '...\\nb: 1\\n'"));
            case LITERAL_GLOB -> new Row("no match", "discovery.failed", DepartureRowsTest::literalGlob);
            case UNPACK_LIMITS -> new Row("archive.limit", "1 document", DepartureRowsTest::twoFilesOfOneAllowed);
            case LINKS -> new Row("./x.yaml", "x.yaml", DepartureRowsTest::linkText);
            case SHARED_WORKDIR -> new Row("kept", "wiped", DepartureRowsTest::foreignWorkFolder);
            case TAKE_SOCKET -> new Row("serve.start", "1 document", DepartureRowsTest::second);
            case STOP -> new Row("refused", "1 document", DepartureRowsTest::afterStop);
            case LOG_OUTPUT -> new Row("neither", "both", DepartureRowsTest::logged);
            case STORE_ARCHIVE -> new Row("unpacked", "stored", DepartureRowsTest::onTheWay);
            case RECYCLE -> new Row("fresh same", "fresh fresh", DepartureRowsTest::twice);
            case METRICS -> new Row("served", "nothing", DepartureRowsTest::pages);
            case RELOAD -> new Row("new", "old", DepartureRowsTest::changedDefinition);
            case PRIVILEGES ->
                new Row(
                        "command.failed",
                        "1 document",
                        generating("grep -q 'Seccomp:.0' /proc/self/status || exit 1; " + PRINT));
            case ONE_PLUGIN -> new Row("one.sock two.sock", "plugin.unreadable", DepartureRowsTest::twoDefinitions);
        };
    }

    /// What a plugin with this line answers.
    private static Question generating(String line) {
        return (folder, way) -> generated(folder, RunningSidecar.definition("p", line), way, ARCHIVE);
    }

    private static String generated(
            Path folder, String definition, UnaryOperator<ServeOptions> way, SmallArchive archive) throws IOException {
        try (var sidecar = new RunningSidecar(folder, definition, way)) {
            return documents(sidecar.generate("p", archive, "."));
        } catch (Fault fault) {
            return code(fault);
        }
    }

    /// From what two calls of one Application got their trees.
    private static String twice(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        UnaryOperator<ServeOptions> recycling =
                options -> way.apply(options.with(options.places().withRecycle(RecycleOptions.DEFAULT)));
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("p", PRINT), recycling)) {
            for (int call = 0; call < 2; call++) {
                sidecar.generate(
                        "p",
                        ARCHIVE,
                        ".",
                        "ARGOCD_APP_SOURCE_REPO_URL",
                        "https://example.com/r",
                        "ARGOCD_APP_PROJECT_NAME",
                        "one");
            }
            return TreeKinds.in(sidecar.logged());
        }
    }

    private static String documents(List<String> all) {
        return all.size() == 1 ? "1 document" : all.size() + " documents";
    }

    /// The code that the message ends with.
    private static String code(Fault fault) {
        String words = Fault.words(fault);
        int from = words.lastIndexOf('[');
        return from < 0 ? fault.code().id() : words.substring(from + 1, words.length() - 1);
    }

    private static String execTimeout(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        UnaryOperator<ServeOptions> hasty = options ->
                options.with(options.times().withExecTimeouts(Duration.ofMillis(300), Duration.ofMillis(200)));
        return generated(
                folder,
                RunningSidecar.definition("p", "sleep 1; " + PRINT),
                options -> way.apply(hasty.apply(options)),
                ARCHIVE);
    }

    private static String deadline(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        ClientOptions hasty = ClientOptions.DEFAULT.withDeadline(Duration.ofSeconds(2));
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("p", "exec sleep 30"), way);
                PluginClient client = sidecar.client("p", hasty)) {
            return documents(RunningSidecar.texts(client.generate(ARCHIVE.metadata("."), ARCHIVE.stream())));
        } catch (Fault fault) {
            String status = fault.getCause() instanceof StatusException refused
                    ? refused.getStatus().getCode().name()
                    : "no status";
            String words = Fault.words(fault);
            return status + " " + (words.contains("signal: killed") ? "signal: killed" : code(fault));
        }
    }

    private static String leftover(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        Path pid = folder.resolve("pid");
        String line = "setsid sleep 60 >/dev/null 2>&1 & echo $! >" + pid + "; " + PRINT;
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("p", line), way)) {
            sidecar.generate("p", ARCHIVE, ".");
            Optional<ProcessHandle> left =
                    ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
            String answer = left.isPresent() ? "alive" : "ended";
            left.ifPresent(ProcessHandle::destroyForcibly);
            return answer;
        }
    }

    private static String orphan(Path folder, UnaryOperator<ServeOptions> way) throws Exception {
        try (var _ = new RunningSidecar(folder, RunningSidecar.CAT, way)) {
            Process parent = new ProcessBuilder("sh", "-c", "sleep 0.3 >/dev/null 2>&1 & echo $!").start();
            String pid = new String(parent.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            Path entry = Path.of("/proc", pid);
            parent.waitFor();
            RunningSidecar.await(() -> Files.notExists(entry) || isZombie(entry));
            for (int i = 0; i < 200 && Files.exists(entry); i++) {
                Thread.sleep(10);
            }
            return Files.exists(entry) ? "zombie" : "reaped";
        }
    }

    private static boolean isZombie(Path entry) {
        try {
            return Files.readString(entry.resolve("stat")).contains(") Z ");
        } catch (IOException gone) {
            return true;
        }
    }

    private static String literalGlob(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        String definition = """
                kind: ConfigManagementPlugin
                metadata: {name: p}
                spec:
                  discover: {find: {glob: Chart.yaml}}
                  generate: {command: ["true"]}
                """;
        try (var sidecar = new RunningSidecar(folder, definition, way);
                PluginClient client = sidecar.client("p")) {
            return client.match(ARCHIVE.metadata("."), ARCHIVE.stream()).getIsSupported() ? "match" : "no match";
        } catch (Fault fault) {
            return code(fault);
        }
    }

    private static String twoFilesOfOneAllowed(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        String definition = RunningSidecar.definition("p", PRINT) + "remora: {limits: {files: 1}}\n";
        return generated(folder, definition, way, SmallArchive.of(Map.of("a", "1", "b", "2")));
    }

    private static String linkText(Path folder, UnaryOperator<ServeOptions> way) throws Exception {
        Path tree = Files.createDirectories(folder.resolve("tree"));
        Files.writeString(tree.resolve("x.yaml"), "a: 1\n");
        Files.createSymbolicLink(tree.resolve("z"), Path.of("./x.yaml"));
        Process tar = new ProcessBuilder("tar", "-C", tree.toString(), "-czf", "-", "x.yaml", "z").start();
        SmallArchive archive = new SmallArchive(tar.getInputStream().readAllBytes());
        String line = "printf 'apiVersion: v1\\nkind: X\\nmetadata: {name: %s}\\n' \"$(readlink z)\"";
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("p", line), way)) {
            return sidecar.generate("p", archive, ".").getFirst().replaceAll(".*\"name\":\"(.*?)\".*", "$1");
        }
    }

    private static String foreignWorkFolder(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        Path foreign = Files.createDirectories(folder.resolve("work/_cmp_server/other"));
        try (var _ = new RunningSidecar(folder, RunningSidecar.CAT, way)) {
            return Files.exists(foreign) ? "kept" : "wiped";
        }
    }

    private static String second(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        try (var _ = new RunningSidecar(folder, RunningSidecar.definition("p", "exit 7"))) {
            return generated(folder, RunningSidecar.definition("p", PRINT), way, ARCHIVE);
        } catch (Fault fault) {
            return code(fault);
        }
    }

    private static String afterStop(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("p", PRINT), way);
                PluginClient open = sidecar.client("p")) {
            open.check();
            sidecar.server.stop("SIGTERM");
            return documents(RunningSidecar.texts(open.generate(ARCHIVE.metadata("."), ARCHIVE.stream())));
        } catch (Fault fault) {
            return "refused";
        }
    }

    private static String logged(Path folder, UnaryOperator<ServeOptions> way) throws Exception {
        String line = "echo \"using $API_TOKEN\" >&2; " + PRINT;
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("p", line), way)) {
            sidecar.generate("p", ARCHIVE, ".", "API_TOKEN", "open-sesame");
            RunningSidecar.await(() -> sidecar.logged().contains("\"grpc.method\":\"GenerateManifest\""));
            boolean output = sidecar.logged().contains("metadata: {name: made}\\n\"");
            boolean secret = sidecar.logged().contains("\"stderr\":\"using open-sesame\\n\"");
            return output && secret ? "both" : output ? "output" : secret ? "secret" : "neither";
        }
    }

    private static String onTheWay(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("x.yaml", "a: 1\n");
        byte[] noise = new byte[300_000];
        new Random(1).nextBytes(noise);
        files.put("noise", new String(noise, StandardCharsets.ISO_8859_1));
        SmallArchive archive = SmallArchive.of(files);
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("p", PRINT), way);
                PluginClient client = sidecar.client("p");
                var watched = new WatchedStream(archive.stream(), folder.resolve("work"))) {
            String answer = documents(RunningSidecar.texts(client.generate(archive.metadata("."), watched)));
            assertThat(answer).isEqualTo("1 document");
            return watched.seen;
        }
    }

    @Test
    void staticParametersUnpackTheStoredArchiveInArgoCdsWay() throws Exception {
        String definition = RunningSidecar.definition("p", PRINT) + "  parameters: {static: [{name: a}]}\n";
        SmallArchive junk = new SmallArchive(new byte[] {1, 2, 3});
        try (var sidecar = new RunningSidecar(folder, definition, way(Departures.parse("store-archive")));
                PluginClient client = sidecar.client("p")) {
            assertThat(client.params(ARCHIVE.metadata("."), ARCHIVE.stream()).getParameterAnnouncementsList())
                    .hasSize(1);
            assertThatThrownBy(() -> client.params(junk.metadata("."), junk.stream()))
                    .hasMessageContaining("error decompressing tgz file: ");
        }
    }

    @Test
    void aStoredArchiveWithAWrongChecksumIsNotUnpacked() throws Exception {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT, way(Departures.parse("store-archive")));
                PluginClient client = sidecar.client("cat")) {
            var wrong = ARCHIVE.metadata(".").toBuilder()
                    .setChecksum(com.google.protobuf.ByteString.copyFromUtf8("00"))
                    .build();
            assertThatThrownBy(() -> client.generate(wrong, ARCHIVE.stream()))
                    .hasMessageContaining("file checksum validation error");
        }
    }

    /// Looks, when half of it has been read, at what the server has made of it so far.
    private static final class WatchedStream extends FilterInputStream {
        private final Path work;
        private int read;
        private String seen = "";

        WatchedStream(InputStream in, Path work) {
            super(in);
            this.work = work;
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            if (read > 150_000 && seen.isEmpty()) {
                look();
            }
            int got = super.read(bytes, from, count);
            read += Math.max(0, got);
            return got;
        }

        private void look() {
            try {
                RunningSidecar.await(() -> !inWork().isEmpty());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            seen = inWork();
        }

        private String inWork() {
            try (Stream<Path> all = Files.walk(work)) {
                List<String> names =
                        all.map(path -> path.getFileName().toString()).toList();
                if (names.contains("x.yaml")) {
                    return "unpacked";
                }
                return names.stream().anyMatch(name -> name.matches("\\d{5,}")) ? "stored" : "";
            } catch (IOException | UncheckedIOException changing) {
                return "";
            }
        }
    }

    private static String pages(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        UnaryOperator<ServeOptions> http =
                RunningSidecar.httpAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT, options -> way.apply(http.apply(options)))) {
            return sidecar.server.httpAddress().isPresent() ? "served" : "nothing";
        }
    }

    private static String changedDefinition(Path folder, UnaryOperator<ServeOptions> way) throws Exception {
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.definition("p", PRINT), way)) {
            sidecar.define(RunningSidecar.definition("p", PRINT.replace("made", "new")));
            for (int i = 0; i < 30; i++) {
                if (sidecar.generate("p", ARCHIVE, ".").getFirst().contains("new")) {
                    return "new";
                }
                Thread.sleep(50);
            }
            return "old";
        }
    }

    private static String twoDefinitions(Path folder, UnaryOperator<ServeOptions> way) throws IOException {
        Path config = Files.createDirectories(folder.resolve("config"));
        Files.writeString(config.resolve("one.yaml"), RunningSidecar.definition("one", PRINT));
        Files.writeString(config.resolve("two.yaml"), RunningSidecar.definition("two", PRINT));
        try (var _ = new RunningSidecar(folder, "", way);
                Stream<Path> sockets = Files.list(folder.resolve("s"))) {
            return String.join(
                    " ",
                    sockets.map(path -> path.getFileName().toString()).sorted().toList());
        } catch (Fault fault) {
            return fault.code().id();
        }
    }
}

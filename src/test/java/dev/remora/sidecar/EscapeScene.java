package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.testing.OpenClassPath;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// A sidecar of an unprivileged user with a neighbour to attack, files beside its own, and a victim process outside.
/// The attacking programs (`src/test/resources/escape`) are told all paths, numbers and addresses.
@SuppressWarnings("try") // closing waits for processes
final class EscapeScene implements AutoCloseable {
    static final List<String> UNPRIVILEGED =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all");
    static final String PYTHON = "/usr/bin/python3";
    static final String PATH = "/usr/sbin:/usr/bin:/sbin:/bin";

    private static final int NOBODY = 65534;
    private static final Path PROGRAMS = Path.of("src/test/resources/escape");
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Path folder;
    private final Map<String, Object> targets = new LinkedHashMap<>();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<Process> started = new ArrayList<>();
    final ServerProcess server;

    /// @param folder empty, of this test alone
    /// @param levels the `remora:` block of each plugin that attacks, by the plugin's name
    EscapeScene(Path folder, Map<String, String> levels, String... environment) throws Exception {
        this.folder = folder;
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        makeFiles();
        Map<String, String> definitions = new HashMap<>();
        levels.forEach((name, block) ->
                definitions.put(name, definition(name, "exec " + PYTHON + " -B $ARGOCD_ENV_PROGRAM") + block));
        definitions.put("neighbour", definition("neighbour", "exec " + PYTHON + " -B neighbour.py") + STRICT);
        definitions.put("plain", definition("plain", "cat a.yaml") + STRICT);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        String classPath = OpenClassPath.in(classes);
        own(folder);
        List<String> all = new ArrayList<>(List.of(environment));
        all.add("PATH=" + PATH);
        all.add("ARGOCD_EXEC_TIMEOUT=10m");
        all.add("SECRET_OF_THE_SERVER=variable");
        server = ServerProcess.start(UNPRIVILEGED, classPath, folder, definitions, all.toArray(String[]::new));
        targets.put("serverPid", server.pid());
        startVictim();
    }

    static final String STRICT = "remora: {sandbox: {}}\n";

    static String definition(String name, String line) {
        return """
               apiVersion: argoproj.io/v1alpha1
               kind: ConfigManagementPlugin
               metadata: {name: %s}
               spec: {generate: {command: [sh, -c, "%s"]}}
               """.formatted(name, line);
    }

    private void makeFiles() throws IOException {
        for (String name : List.of("config", "s", "work", "outside/folder", "token", "victim", "alone", "tools")) {
            Files.createDirectories(folder.resolve(name));
        }
        Map.of(
                        "outside/secret", "secret outside",
                        "outside/movable", "secret to move",
                        "outside/writable", "as it was",
                        "outside/removable", "as it was",
                        "outside/folder/inner", "secret in a folder",
                        "token/token", "secret of the service account",
                        "beside-config", "secret beside the definitions")
                .forEach(this::write);
        copyPrograms(folder.resolve("alone"));
        Path setuid = Files.copy(Path.of("/usr/bin/id"), folder.resolve("tools/id-of-root"));
        Files.setAttribute(setuid, "unix:mode", 04755);
        targets.put("outside", folder.resolve("outside").toString());
        targets.put("token", folder.resolve("token/token").toString());
        targets.put("besideConfig", folder.resolve("beside-config").toString());
        targets.put("socket", folder.resolve("s/plain.sock").toString());
        targets.put("setuidProgram", setuid.toString());
    }

    private void write(String name, String text) {
        try {
            Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static void copyPrograms(Path to) throws IOException {
        for (Map.Entry<String, String> program : programs().entrySet()) {
            Files.writeString(to.resolve(program.getKey()), program.getValue(), StandardCharsets.ISO_8859_1);
        }
    }

    static Map<String, String> programs() throws IOException {
        Map<String, String> all = new HashMap<>();
        try (Stream<Path> files = Files.list(PROGRAMS)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".py")).toList()) {
                all.put(file.getFileName().toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all;
    }

    /// All but what must stay root's.
    private static void own(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.filter(path -> !path.toString().contains("/classes/") && !path.endsWith("id-of-root"))
                    .toList()) {
                Files.setAttribute(path, "unix:uid", NOBODY);
                Files.setAttribute(path, "unix:gid", NOBODY);
            }
        }
    }

    private void startVictim() throws Exception {
        Path said = folder.resolve("victim.json");
        Process victim = start(said, "victim.py", folder.resolve("victim").toString());
        await(() -> Files.size(said) > 0 && victim.isAlive());
        try (JsonParser json = new JsonFactory().createParser(said.toFile())) {
            into(json, targets);
        }
    }

    private Process start(Path output, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(UNPRIVILEGED);
        line.addAll(List.of("setsid", PYTHON, "-B"));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.resolve("alone").toFile())
                .redirectOutput(output.toFile())
                .redirectError(folder.resolve("errors").toFile());
        builder.environment().clear();
        builder.environment().put("PATH", PATH);
        builder.environment().put("TARGETS", targetsText());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    Path folder() {
        return folder;
    }

    Map<String, Object> targets() {
        return targets;
    }

    /// A program beside the sidecar, without any fence, as the same user.
    Map<String, String> outside(String program) throws Exception {
        Path said = folder.resolve("outside-" + program);
        int exit = start(said, program).waitFor();
        assertThat(exit).as(Files.readString(folder.resolve("errors"))).isZero();
        return results(Files.readString(said));
    }

    /// The same program as the command of a plugin.
    Map<String, String> inside(String plugin, String program) throws IOException {
        return inside(plugin, program, "");
    }

    /// @param what a word for the program
    Map<String, String> inside(String plugin, String program, String what) throws IOException {
        return results(call(plugin, SmallArchive.of(programs()), program, "ARGOCD_ENV_WHAT", what));
    }

    /// @param more pairs of a variable and its value
    String call(String plugin, SmallArchive archive, String program, String... more) {
        List<String> variables = new ArrayList<>(List.of(more));
        variables.addAll(List.of("ARGOCD_ENV_PROGRAM", program, "ARGOCD_ENV_TARGETS", targetsText()));
        try (PluginClient client = PluginClient.connect(server.socket(plugin), ClientOptions.DEFAULT)) {
            List<String> manifests = RunningSidecar.texts(
                    client.generate(archive.metadata(".", variables.toArray(String[]::new)), archive.stream()));
            assertThat(manifests).hasSize(1);
            return manifests.getFirst();
        }
    }

    /// Whether the sidecar still serves.
    void servesTheNextCall() {
        String object = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}";
        assertThat(call("plain", SmallArchive.of(Map.of("a.yaml", object)), "")).isEqualTo(object);
    }

    /// A render that waits to be attacked, until it is closed.
    Neighbour neighbour() throws Exception {
        Future<String> answer =
                callers.submit(() -> call("neighbour", SmallArchive.of(programs()), "secret-of-the-neighbour"));
        await(() -> server.commands("neighbour.py").size() == 1 || answer.isDone());
        assertThat(answer.isDone()).as("the neighbour ended: " + server.log()).isFalse();
        Path place = Path.of("/proc/" + server.commands("neighbour.py").getFirst() + "/cwd");
        await(() -> Files.exists(place.resolve("ready")));
        try (JsonParser json =
                new JsonFactory().createParser(place.resolve("ready").toFile())) {
            into(json, targets);
        }
        Path tree = Path.of(String.valueOf(targets.get("neighbourFolder")));
        targets.put("workRoot", String.valueOf(tree.resolve("../..").normalize()));
        return new Neighbour(answer, place);
    }

    /// @param place its folder, by its process
    record Neighbour(Future<String> answer, Path place) {
        /// What it found at its end.
        Map<String, String> end() throws Exception {
            Files.writeString(place.resolve("stop"), "");
            return results(answer.get());
        }
    }

    interface Condition {
        boolean met() throws Exception;
    }

    static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + WITHIN.toNanos();
        while (!condition.met() && System.nanoTime() - end < 0) {
            Thread.sleep(PAUSE);
        }
        assertThat(condition.met()).isTrue();
    }

    private String targetsText() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            for (Map.Entry<String, Object> target : targets.entrySet()) {
                if (target.getValue() instanceof Long number) {
                    json.writeNumberField(target.getKey(), number);
                } else {
                    json.writeStringField(target.getKey(), target.getValue().toString());
                }
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return text.toString();
    }

    /// The texts in a ConfigMap's `data`.
    static Map<String, String> results(String manifest) throws IOException {
        Map<String, Object> data = new LinkedHashMap<>();
        try (JsonParser json = new JsonFactory().createParser(manifest)) {
            while (!"data".equals(json.currentName())) {
                json.nextToken();
            }
            json.nextToken();
            into(json, data);
        }
        Map<String, String> texts = new LinkedHashMap<>();
        data.forEach((name, value) -> texts.put(name, value.toString()));
        return texts;
    }

    /// The texts and numbers of the object that begins here.
    private static void into(JsonParser json, Map<String, Object> all) throws IOException {
        for (JsonToken token = json.nextToken(); token != null && token != JsonToken.END_OBJECT; ) {
            switch (token) {
                case VALUE_NUMBER_INT -> all.put(json.currentName(), json.getLongValue());
                case VALUE_STRING -> all.put(json.currentName(), json.getText());
                default -> {}
            }
            token = json.nextToken();
        }
    }

    @Override
    public void close() throws Exception {
        server.close();
        for (Process process : started) {
            process.getOutputStream().close();
            if (!process.waitFor(WITHIN)) {
                process.destroyForcibly();
            }
        }
        callers.shutdownNow();
    }
}

package dev.remora.sidecar;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// `remora serve` as a process of its own, and what it holds of the system.
final class ServerProcess implements AutoCloseable {
    private static final Duration STARTED_WITHIN = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Path folder;
    private final Process process;

    private ServerProcess(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /// What one looks at to see a leak.
    record Held(int processes, int descriptors, int threads, long files) {
        boolean isWithin(Held other) {
            return processes <= other.processes
                    && descriptors <= other.descriptors
                    && threads <= other.threads
                    && files <= other.files;
        }
    }

    /// @param definitions by name, which is the socket's too
    /// @param environment more variables as `NAME=value`
    static ServerProcess start(Path folder, Map<String, String> definitions, String... environment) throws Exception {
        return start(List.of(), System.getProperty("java.class.path"), folder, definitions, environment);
    }

    /// @param before what runs the server's command line, such as `setpriv` with its options
    static ServerProcess start(
            List<String> before, String classPath, Path folder, Map<String, String> definitions, String... environment)
            throws Exception {
        for (String name : List.of("config", "s", "work")) {
            Files.createDirectories(folder.resolve(name));
        }
        for (Map.Entry<String, String> definition : definitions.entrySet()) {
            Files.writeString(folder.resolve("config/" + definition.getKey() + ".yaml"), definition.getValue());
        }
        List<String> line = new ArrayList<>(before);
        line.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-Xmx64m",
                "-cp",
                classPath,
                "dev.remora.cli.Main",
                "serve",
                "--config-dir-path=" + folder.resolve("config"),
                "--socket-dir=" + folder.resolve("s"),
                "--workdir=" + folder.resolve("work")));
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        // -Dremora.recycle=false: every test with trees that are used once.
        if ("false".equals(System.getProperty("remora.recycle"))) {
            builder.environment().put("REMORA_RECYCLE_TREES", "0");
        }
        for (String variable : environment) {
            int equals = variable.indexOf('=');
            builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
        }
        ServerProcess server = new ServerProcess(folder, builder.start());
        long end = System.nanoTime() + STARTED_WITHIN.toNanos();
        while (!server.log().contains("is serving")) {
            if (!server.process.isAlive() || System.nanoTime() - end > 0) {
                server.close();
                throw new AssertionError("not started: " + server.log());
            }
            Thread.sleep(PAUSE);
        }
        return server;
    }

    /// As `kill -9` does: it has no chance to clean up.
    void kill() throws InterruptedException {
        int _ = process.destroyForcibly().waitFor();
    }

    long pid() {
        return process.pid();
    }

    Path socket(String name) {
        return folder.resolve("s/" + name + ".sock");
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("log"), StandardCharsets.UTF_8);
    }

    /// What it holds as soon as that is as `wanted`, or at the end of the time.
    Held settled(Predicate<Held> wanted, Duration within) throws Exception {
        long end = System.nanoTime() + within.toNanos();
        Held held = held();
        while (!wanted.test(held) && System.nanoTime() - end < 0) {
            Thread.sleep(PAUSE);
            held = held();
        }
        return held;
    }

    private Held held() throws IOException {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        try (Stream<Path> files = Files.walk(folder.resolve("work"))) {
            return new Held(
                    children().size(),
                    list(proc.resolve("fd")).size(),
                    list(proc.resolve("task")).size(),
                    files.count());
        } catch (java.io.UncheckedIOException removedMeanwhile) {
            return new Held(Integer.MAX_VALUE, 0, 0, 0);
        }
    }

    /// Kills one command that it started whose command line contains `text`, from outside.
    void killCommand(String text) {
        try {
            for (long child : children()) {
                if (Files.readString(Path.of("/proc/" + child + "/cmdline"), StandardCharsets.ISO_8859_1)
                        .contains(text)) {
                    ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
                    return;
                }
            }
        } catch (IOException goneMeanwhile) {
            return;
        }
    }

    /// Those of its children whose command line contains `text`.
    List<Long> commands(String text) throws IOException {
        List<Long> found = new ArrayList<>();
        for (long child : children()) {
            try {
                if (Files.readString(Path.of("/proc/" + child + "/cmdline"), StandardCharsets.ISO_8859_1)
                        .contains(text)) {
                    found.add(child);
                }
            } catch (IOException goneMeanwhile) {
                // It is not one of them.
            }
        }
        return found;
    }

    private List<Long> children() throws IOException {
        List<Long> found = new ArrayList<>();
        for (Path thread : list(Path.of("/proc/" + process.pid() + "/task"))) {
            try {
                Stream.of(Files.readString(thread.resolve("children")).split(" "))
                        .filter(number -> !number.isBlank())
                        .map(Long::valueOf)
                        .forEach(found::add);
            } catch (NoSuchFileException goneMeanwhile) {
                // Its children are another thread's now.
            }
        }
        return found;
    }

    private static List<Path> list(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.toList();
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STARTED_WITHIN)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

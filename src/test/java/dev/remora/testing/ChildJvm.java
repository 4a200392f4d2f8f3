package dev.remora.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Runs a test's `main` in a JVM of its own: with less memory, another locale or another user.
public final class ChildJvm {
    private static final int MINUTES = 3;
    private static final List<String> UNPRIVILEGED = List.of(
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all");

    private final List<String> before = new ArrayList<>();
    private final List<String> options = new ArrayList<>(List.of(
            "--enable-native-access=ALL-UNNAMED", "-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    private Map<String, String> environment = Map.of();
    private boolean foreign;

    /// What the child printed, both streams, and its exit code.
    public record Result(int exit, String output) {}

    /// As user and group 65534 without any capability. Only root can become it.
    public ChildJvm unprivileged() {
        before.addAll(UNPRIVILEGED);
        foreign = true;
        return this;
    }

    public ChildJvm with(String option) {
        options.add(option);
        return this;
    }

    /// By a program that runs the rest of its command line.
    public ChildJvm by(List<String> program) {
        before.addAll(program);
        return this;
    }

    /// Through `sh -c`, such as `ulimit -n 100`.
    public ChildJvm after(String shellCommand) {
        before.addAll(List.of("sh", "-c", shellCommand + " && exec \"$@\"", "sh"));
        return this;
    }

    /// Added to ours.
    public ChildJvm environment(Map<String, String> variables) {
        environment = variables;
        return this;
    }

    /// Another user may not enter our home: then he gets our classes, but no libraries, in a folder of his own.
    private String classPath() throws IOException {
        String whole = System.getProperty("java.class.path");
        if (!foreign) {
            return whole;
        }
        List<String> folders = new ArrayList<>();
        for (String part : whole.split(":", -1)) {
            Path folder = Path.of(part).toAbsolutePath();
            if (Files.isDirectory(folder)) {
                folders.add(isOpenToAll(folder) ? part : copied(folder).toString());
            }
        }
        return String.join(":", folders);
    }

    private static boolean isOpenToAll(Path folder) throws IOException {
        for (Path path = folder; path != null; path = path.getParent()) {
            if (!Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return false;
            }
        }
        return true;
    }

    private static Path copied(Path folder) throws IOException {
        Path copy = Files.createTempDirectory("classes");
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.filter(path -> !path.equals(folder)).toList()) {
                Files.copy(path, copy.resolve(folder.relativize(path)));
            }
        }
        return copy;
    }

    public Result run(Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(before);
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(options);
        line.addAll(List.of("-cp", classPath(), main.getName()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output;
        try (var stream = process.getInputStream()) {
            output = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("still running after " + MINUTES + " minutes: " + line);
        }
        return new Result(process.exitValue(), output);
    }
}

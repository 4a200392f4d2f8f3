package dev.remora.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs a program as a user's shell would, and keeps what it printed.
record Shell(Path directory, Map<String, String> environment) {
    private static final long LONGEST_SECONDS = 900;

    Shell {
        environment = Map.copyOf(environment);
    }

    /// How a program ended. `out` and `err` are its whole streams.
    record Ended(long pid, int exit, String out, String err) {}

    Ended run(Object... command) throws IOException, InterruptedException {
        return await(start(command));
    }

    /// A started program with its streams in files, so that it never waits for a reader.
    record Running(Process process, Path out, Path err) {}

    Running start(Object... command) throws IOException {
        List<String> words = Arrays.stream(command).map(Object::toString).toList();
        Path out = Files.createTempFile("remora-test", ".out");
        Path err = Files.createTempFile("remora-test", ".err");
        var builder = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new Running(builder.start(), out, err);
    }

    Ended await(Running running) throws IOException, InterruptedException {
        Process process = running.process();
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("still runs after " + LONGEST_SECONDS + " s: " + Files.readString(running.err()));
        }
        String out = text(running.out());
        String err = text(running.err());
        return new Ended(process.pid(), process.exitValue(), out, err);
    }

    private static String text(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        Files.delete(file);
        return text;
    }
}

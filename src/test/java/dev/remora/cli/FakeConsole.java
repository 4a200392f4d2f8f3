package dev.remora.cli;

import dev.remora.posix.Bytes;
import dev.remora.process.CommandEnvironment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// A console whose streams are kept, with an environment of its own.
final class FakeConsole {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Path directory;
    private boolean terminal;
    private String input = "";

    FakeConsole(Path directory) {
        this.directory = directory;
        environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
    }

    FakeConsole with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    FakeConsole withInput(String text) {
        input = text;
        return this;
    }

    FakeConsole onTerminal() {
        terminal = true;
        return this;
    }

    int run(String... arguments) {
        out.reset();
        err.reset();
        return Main.run(console(), arguments);
    }

    Console console() {
        return new Console(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal,
                terminal,
                new CommandEnvironment(environment.entrySet().stream()
                        .map(entry -> Bytes.utf8(entry.getKey() + "=" + entry.getValue()))
                        .toList()),
                directory);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}

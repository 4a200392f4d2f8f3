package dev.remora.cli;

import dev.remora.fault.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Runs what users run most, once and in one process, so that a start cache can be made of the classes that it loaded:
/// a render of a folder; a server that starts, answers clients in other processes and stops.
///
/// Run by the launcher and by `remora package`, never by users. Its one argument is an empty folder that it may fill;
/// `ARGOCD_PLUGINSOCKFILEPATH` and `ARGOCD_CMP_WORKDIR` name that folder too. A step that fails is told and the rest
/// goes on: a cache of less is still a cache. The exit code is 1 then.
public final class Rehearsal {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(30);

    private final Path folder;
    private final Console console = ProcessConsole.open();
    private final List<String> failures = new ArrayList<>();

    private Rehearsal(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        System.exit(new Rehearsal(Path.of(args[0])).run() ? 0 : 1);
    }

    private boolean run() throws IOException, InterruptedException {
        Path application = Files.createDirectories(folder.resolve("application"));
        Files.writeString(
                application.resolve("configmap.yaml"),
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first}\ndata: {text: \"Grüße\"}\n");
        Path definition = Files.createDirectories(folder.resolve("config")).resolve("plugin.yaml");
        try (InputStream text = Rehearsal.class.getResourceAsStream("/rehearsal/plugin.yaml")) {
            Files.write(definition, text == null ? new byte[0] : text.readAllBytes());
        }
        step("render", application.toString(), "--plugin", definition.toString(), "-o", "json");
        Thread server =
                Thread.ofPlatform().start(() -> step("serve", "--config-dir-path", definition.getParent() + ""));
        askServer(server, application);
        failures.forEach(console.err()::println);
        return failures.isEmpty();
    }

    private void askServer(Thread server, Path application) throws IOException, InterruptedException {
        Path socket = folder.resolve("rehearsal.sock");
        long end = System.nanoTime() + LONGEST_START.toNanos();
        while (!Files.exists(socket) && server.isAlive() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        if (!server.isAlive()) {
            return; // the step has said why
        }
        client("render", application.toString(), "--plugin", "unix:" + socket);
        client("params", application.toString(), "--plugin", "unix:" + socket);
        long self = ProcessHandle.current().pid();
        new ProcessBuilder("/bin/sh", "-c", "kill -TERM " + self)
                .inheritIO()
                .start()
                .waitFor();
        if (!server.join(LONGEST_STOP)) {
            failed("serve", "did not stop on SIGTERM");
        }
    }

    /// Asks from another process: what only a client needs would make the cache of every server larger.
    private void client(String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.remora.cli.Main"));
        words.addAll(List.of(command));
        int exit = new ProcessBuilder(words).inheritIO().start().waitFor();
        if (exit != 0) {
            failed(command[0] + " by a client", "exit code " + exit);
        }
    }

    private void step(String... command) {
        try {
            int exit = Main.run(console, command);
            if (exit != 0) {
                failed(command[0], "exit code " + exit);
            }
        } catch (RuntimeException e) {
            failed(command[0], e instanceof UncheckedIOException ? e.toString() : Fault.words(e));
        }
    }

    private synchronized void failed(String command, String why) {
        failures.add("rehearsal of " + command + ": " + why);
    }
}

package dev.remora.bench;

import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// One server under measurement: a process with folders of its own, and a client of its socket.
final class Contestant implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(30);
    /// Field 14 of `/proc/PID/stat`, counted behind the name: user, system, and both of children.
    private static final int USER_TIME = 11;
    private static final String DEFINITION = """
            apiVersion: argoproj.io/v1alpha1
            kind: ConfigManagementPlugin
            metadata:
              name: %s
            spec:
              discover:
                find:
                  glob: "**/configmap.yaml"
              generate:
                command: [cat, configmap.yaml]
            """;

    private final Process process;
    private final PluginClient client;
    private final long startNanos;

    private Contestant(Process process, PluginClient client, long startNanos) {
        this.process = process;
        this.client = client;
        this.startNanos = startNanos;
    }

    /// Starts the program and waits until its socket takes a connection. `plugins` above 1 is for ours alone: one
    /// process for all of them.
    static Contestant start(Program program, Path work, int plugins) throws IOException, InterruptedException {
        Path home = Files.createTempDirectory(work, "c"); // short: a socket's path may have 107 bytes
        Path config = Files.createDirectory(home.resolve("config"));
        Path sockets = Files.createDirectory(home.resolve("sockets"));
        Files.writeString(config.resolve("plugin.yaml"), DEFINITION.formatted("bench"));
        if (plugins > 1) {
            Files.delete(config.resolve("plugin.yaml"));
            for (int i = 0; i < plugins; i++) {
                String name = i == 0 ? "bench" : "bench-" + i;
                Files.writeString(config.resolve(name + ".yaml"), DEFINITION.formatted(name));
            }
        }
        var command = new ProcessBuilder(new ArrayList<>(program.command()))
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile());
        command.command().addAll(List.of("--config-dir-path", config.toString(), "--loglevel", "warn"));
        command.environment().put("ARGOCD_PLUGINSOCKFILEPATH", sockets.toString());
        command.environment().put("ARGOCD_CMP_WORKDIR", home.toString());
        command.environment().put("ARGOCD_BINARY_NAME", "argocd-cmp-server");
        long began = System.nanoTime();
        Process process = command.start();
        Path socket = sockets.resolve("bench.sock");
        try {
            awaitListening(socket, process, began, home.resolve("log"));
            long took = System.nanoTime() - began;
            return new Contestant(process, PluginClient.connect(socket, ClientOptions.DEFAULT), took);
        } catch (IOException | RuntimeException | Error e) {
            process.destroyForcibly(); // nothing that was started outlives a run
            throw e;
        }
    }

    private static void awaitListening(Path socket, Process process, long began, Path log)
            throws IOException, InterruptedException {
        while (System.nanoTime() - began < LONGEST_START.toNanos()) {
            if (Files.exists(socket)) {
                try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                    channel.connect(UnixDomainSocketAddress.of(socket));
                    return;
                } catch (IOException notYet) {
                    // bound, but deaf still
                }
            }
            if (!process.isAlive()) {
                throw new IOException("the server ended with " + process.exitValue() + ": " + Files.readString(log));
            }
            Thread.sleep(1);
        }
        throw new IOException("no socket within " + LONGEST_START.toSeconds() + " s: " + socket);
    }

    PluginClient client() {
        return client;
    }

    double startMillis() {
        return startNanos / 1e6;
    }

    /// Memory that is resident now, in MiB.
    double residentMebibytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
            }
        }
        throw new IOException("process " + process.pid() + " has no memory: it ended");
    }

    /// CPU time of the server and of the commands that it has waited for; the kernel counts in hundredths of a second.
    long cpuMillis() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int i = USER_TIME; i < USER_TIME + 4; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks * 10;
    }

    /// TERM, and KILL for a server that an idle client holds back.
    @Override
    public void close() {
        client.close();
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /// How a server is started.
    record Program(String name, List<String> command) {
        Program {
            command = List.copyOf(command);
        }
    }
}

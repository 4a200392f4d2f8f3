package dev.remora.git;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// OpenSSH's server on a port of this machine, for this user, with a host key of its own.
final class SshServer implements AutoCloseable {
    static final String PROGRAM = "/usr/sbin/sshd";
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private final Path folder;
    private final int port;
    private final Process process;

    private SshServer(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /// @param publicKey of the only one who is let in
    static SshServer start(Path folder, String publicKey) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        keygen(folder.resolve("host"), "ed25519", List.of());
        Path authorized = folder.resolve("authorized");
        Files.writeString(authorized, publicKey);
        Files.setPosixFilePermissions(authorized, PosixFilePermissions.fromString("rw-------"));
        int port = freePort();
        Path config = folder.resolve("sshd_config");
        Files.writeString(config, """
                ListenAddress 127.0.0.1:%d
                HostKey %s
                AuthorizedKeysFile %s
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                PermitRootLogin prohibit-password
                AcceptEnv GIT_PROTOCOL
                PidFile none
                """.formatted(port, folder.resolve("host"), authorized));
        Path separation = Path.of("/run/sshd");
        if (dev.remora.testing.Host.isRoot() && !Files.exists(separation)) {
            Files.createDirectories(separation); // a root's server insists on it
        }
        Process process = new ProcessBuilder(PROGRAM, "-D", "-e", "-f", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        SshServer server = new SshServer(folder, port, process);
        server.await();
        return server;
    }

    static void keygen(Path file, String type, List<String> more) throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(
                List.of("ssh-keygen", "-q", "-t", type, "-N", "", "-C", "test", "-f", file.toString()));
        command.addAll(more);
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("ssh-keygen failed");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void await() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException notYet) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    close();
                    throw new IOException("sshd did not start: " + Files.readString(folder.resolve("log")), notYet);
                }
                Thread.sleep(20);
            }
        }
    }

    int port() {
        return port;
    }

    /// The line of a `known_hosts` file for this server.
    String knownHost() throws IOException {
        String[] key = Files.readString(folder.resolve("host.pub")).split(" ", -1);
        return "[127.0.0.1]:" + port + " " + key[0] + " " + key[1];
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// A Unix socket in a folder that only we may enter, on which what git starts asks us for a secret. It lives as long
/// as one git command.
final class PrivateSocket implements AutoCloseable {
    private final Path path;
    private final ServerSocketChannel server;
    private final Thread thread;

    /// Serves one connection; whatever it throws ends that connection only.
    @FunctionalInterface
    interface Conversation {
        void serve(InputStream in, OutputStream out) throws IOException;
    }

    private PrivateSocket(Path path, ServerSocketChannel server, Conversation conversation) {
        this.path = path;
        this.server = server;
        this.thread = Thread.ofVirtual().name("git-credentials").start(() -> accept(conversation));
    }

    /// Listens when it returns.
    static PrivateSocket open(Path path, Conversation conversation) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                server.bind(UnixDomainSocketAddress.of(path));
            } catch (IOException e) {
                server.close();
                throw e;
            }
            return new PrivateSocket(path, server, conversation);
        } catch (IOException e) {
            throw new Fault(
                    FaultCode.GIT_CACHE, "cannot listen on " + path + " for git's questions: " + Fault.words(e), e);
        }
    }

    Path path() {
        return path;
    }

    private void accept(Conversation conversation) {
        while (server.isOpen()) {
            try {
                SocketChannel client = server.accept();
                Thread.ofVirtual().start(() -> serve(client, conversation));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void serve(SocketChannel client, Conversation conversation) {
        try (client) {
            conversation.serve(Channels.newInputStream(client), Channels.newOutputStream(client));
        } catch (IOException | RuntimeException e) {
            return; // The asker gets no answer, and says so in its own words.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(path);
            thread.join();
        } catch (IOException gone) {
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

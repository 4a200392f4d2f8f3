package dev.remora.protocol;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Where a socket goes, and how it gets there without a moment in which a client finds one that does not listen yet.
///
/// Binding makes the file, listening comes after: a caller between the two gets "connection refused". So the socket is
/// bound inside a hidden folder beside its place, and renamed when it listens. A folder, not a second name: Argo CD
/// tries every socket in the folder, and would find a sibling. Mutable: `published` is set once.
final class SocketPlace implements AutoCloseable {
    /// `sun_path` of Linux holds 108 bytes with the closing zero.
    private static final int LONGEST_PATH = 107;
    /// As long as the shortest possible name, `n.sock`, so that a path that fits also fits while hidden.
    private static final String HIDDEN_NAME = "s";

    private static final int LETTERS = 3;
    private static final int ATTEMPTS = 64;

    private final Path socket;
    private final Path hiddenFolder;
    private Optional<Object> published = Optional.empty();

    private SocketPlace(Path socket, Path hiddenFolder) {
        this.socket = socket;
        this.hiddenFolder = hiddenFolder;
    }

    /// @param takeLiving whether the socket of a server that listens there is taken over, as by Argo CD's server
    static SocketPlace prepare(Path socket, boolean takeLiving) {
        int length = socket.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        if (length > LONGEST_PATH) {
            throw new Fault(
                    FaultCode.SERVE_START,
                    "listen unix " + socket + ": bind: invalid argument: the path has " + length
                            + " bytes, a socket's may have " + LONGEST_PATH
                            + "; set ARGOCD_PLUGINSOCKFILEPATH to a shorter folder on both sides");
        }
        if (!takeLiving && someoneListens(socket)) {
            throw new Fault(
                    FaultCode.SERVE_START,
                    "listen unix " + socket + ": bind: address already in use: a running server listens there; stop it"
                            + " first, give this one another name or folder, or take its place with"
                            + " --argocd=take-socket");
        }
        try {
            if (Files.isDirectory(socket, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(socket);
            }
            return new SocketPlace(socket, hiddenFolder(socket));
        } catch (DirectoryNotEmptyException e) {
            throw new Fault(FaultCode.SERVE_START, "listen unix " + socket + ": bind: address already in use", e);
        } catch (NoSuchFileException e) {
            throw new Fault(FaultCode.SERVE_START, "listen unix " + socket + ": bind: no such file or directory", e);
        } catch (IOException e) {
            throw new Fault(FaultCode.SERVE_START, "listen unix " + socket + ": bind: " + reason(e), e);
        }
    }

    /// A socket that a dead server left refuses; one that lives accepts, or is too busy to. What cannot be asked counts
    /// as dead, as it does for Argo CD's server.
    static boolean someoneListens(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            return channel.connect(UnixDomainSocketAddress.of(socket)) || channel.isConnectionPending();
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException nobody) {
            return false;
        }
    }

    private static Path hiddenFolder(Path socket) throws IOException {
        FileAlreadyExistsException last = new FileAlreadyExistsException(socket.toString());
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            StringBuilder name = new StringBuilder(".");
            for (int i = 0; i < LETTERS; i++) {
                name.append((char) ('a' + ThreadLocalRandom.current().nextInt(26)));
            }
            try {
                return Files.createDirectory(socket.resolveSibling(name.toString()));
            } catch (FileAlreadyExistsException e) {
                last = e;
            }
        }
        throw last;
    }

    Path socket() {
        return socket;
    }

    Path hidden() {
        return hiddenFolder.resolve(HIDDEN_NAME);
    }

    /// Called when the hidden socket listens. Replaces what another server left at the place.
    void publish() throws IOException {
        Object identity = identity(hidden());
        Files.move(hidden(), socket, ATOMIC_MOVE);
        published = Optional.of(identity);
        Files.delete(hiddenFolder);
    }

    /// What is at the socket's place now.
    enum Presence {
        OURS,
        GONE,
        FOREIGN
    }

    Presence presence() {
        try {
            return published.isPresent() && published.get().equals(identity(socket)) ? Presence.OURS : Presence.FOREIGN;
        } catch (NoSuchFileException e) {
            return Presence.GONE;
        } catch (IOException cannotTell) {
            return Presence.FOREIGN;
        }
    }

    /// Removes what is ours; not a socket that another server has put there since.
    @Override
    public void close() {
        try {
            Files.deleteIfExists(hidden());
            Files.deleteIfExists(hiddenFolder);
            if (published.isPresent() && published.get().equals(identity(socket))) {
                Files.delete(socket);
            }
        } catch (IOException gone) {
            // The folder is the pod's volume and may be gone before us.
            return;
        } finally {
            published = Optional.empty();
        }
    }

    private static Object identity(Path path) throws IOException {
        return Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS) + ":"
                + Files.getAttribute(path, "unix:dev", LinkOption.NOFOLLOW_LINKS);
    }

    private static String reason(IOException e) {
        return e instanceof java.nio.file.AccessDeniedException ? "permission denied" : Fault.words(e);
    }
}

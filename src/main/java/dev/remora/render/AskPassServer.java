package dev.remora.render;

import dev.remora.fault.Secret;
import dev.remora.git.AskPass;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.protocol.EventLoops;
import dev.remora.protocol.TransportLimits;
import dev.remora.protocol.UnixSocketServer;
import dev.remora.wire.AskPassServiceGrpc;
import dev.remora.wire.CredentialsRequest;
import dev.remora.wire.CredentialsResponse;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Argo CD's ask-pass service: what a plugin server's git asks, by Argo CD's program, for the login that a nonce stands
/// for. Both must reach the socket at the same path, as with Argo CD.
///
/// Many calls share one; a nonce counts while its place is open.
public final class AskPassServer implements AskPass, AutoCloseable {
    /// A question is a nonce.
    private static final TransportLimits LIMITS = new TransportLimits(16 << 10, TransportLimits.DEFAULT.keepAlive());

    private static final ServerInterceptor NOTHING = new ServerInterceptor() {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            return next.startCall(call, headers);
        }
    };

    private final Path socket;
    private final Map<String, CredentialsResponse> lent = new ConcurrentHashMap<>();
    private final EventLoops loops = new EventLoops("remora-ask-pass", 1);
    private final UnixSocketServer server;

    private AskPassServer(Path socket) {
        this.socket = socket;
        try {
            this.server =
                    UnixSocketServer.listen(socket, List.of(new Service().bindService()), NOTHING, LIMITS, loops, true);
        } catch (RuntimeException e) {
            loops.close();
            throw e;
        }
    }

    /// Listens when it returns; another's socket at this path is replaced, as by Argo CD.
    public static AskPassServer at(Path socket) {
        return new AskPassServer(socket);
    }

    @Override
    public Place open(String nonce, String user, Secret password) {
        lent.put(
                nonce,
                CredentialsResponse.newBuilder()
                        .setUsername(user)
                        .setPassword(password.reveal())
                        .build());
        return new Place() {
            @Override
            public Path socket() {
                return socket;
            }

            @Override
            public List<EnvironmentVariable> variables() {
                return List.of();
            }

            @Override
            public void close() {
                lent.remove(nonce);
            }
        };
    }

    private final class Service extends AskPassServiceGrpc.AskPassServiceImplBase {
        @Override
        public void getCredentials(CredentialsRequest question, StreamObserver<CredentialsResponse> answer) {
            CredentialsResponse login = lent.get(question.getNonce());
            if (question.getNonce().isEmpty()) {
                answer.onError(
                        Status.INVALID_ARGUMENT.withDescription("missing nonce").asException());
            } else if (login == null) {
                answer.onError(Status.NOT_FOUND.withDescription("unknown nonce").asException());
            } else {
                answer.onNext(login);
                answer.onCompleted();
            }
        }
    }

    @Override
    public void close() {
        server.close();
        loops.close();
    }
}

package dev.remora.protocol;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/// A gRPC server on one Unix socket.
///
/// Whoever sees the socket can connect to it: it is bound and listening under a hidden name first and then renamed into
/// place (`SocketPlace`).
public final class UnixSocketServer implements AutoCloseable {
    /// Bytes on the way for one call before we read them; each Argo CD call has its own connection.
    private static final int FLOW_CONTROL_WINDOW = 256 * 1024;
    /// A trace and a deadline need a few hundred.
    private static final int HEADER_BYTES = 64 * 1024;

    /// One pool on the heap and one beside it, in pieces of 512 KiB: Netty's default keeps many megabytes for each
    /// core.
    /// Sockets are read into memory beside the heap; without a pool each read would allocate and zero its own.
    private static final ByteBufAllocator BUFFERS = new PooledByteBufAllocator(false, 1, 1, 8192, 6, 64, 32, false);

    /// Everything that a server on this socket is made of.
    private record Recipe(
            Path socket,
            List<ServerServiceDefinition> services,
            ServerInterceptor interceptor,
            TransportLimits limits,
            EventLoops loops) {}

    /// One server and the place that it listens at.
    private record Listening(Server server, SocketPlace place) {}

    /// What [#putBack] found.
    public enum SocketState {
        /// Nothing to do.
        THERE,
        /// It was gone, and is there again.
        PUT_BACK,
        /// Something else has its place.
        TAKEN
    }

    private final Recipe recipe;
    /// The last one listens; those before it, whose socket somebody removed, finish what they have.
    private final List<Listening> all = new CopyOnWriteArrayList<>();

    private boolean refusing;

    private UnixSocketServer(Recipe recipe, Listening first) {
        this.recipe = recipe;
        all.add(first);
    }

    /// Listens at `socket`, whose folder must exist; what lies there is replaced, unless it is a folder with entries.
    ///
    /// @param takeLiving whether a socket is replaced at which a server listens
    /// @throws Fault `SERVE_START` in the words of Argo CD's server; nothing is left behind
    public static UnixSocketServer listen(
            Path socket,
            List<ServerServiceDefinition> services,
            ServerInterceptor interceptor,
            TransportLimits limits,
            EventLoops loops,
            boolean takeLiving) {
        Recipe recipe = new Recipe(socket, List.copyOf(services), interceptor, limits, loops);
        return new UnixSocketServer(recipe, listening(recipe, takeLiving));
    }

    /// Whether a server, this or another, accepts connections at `socket`.
    public static boolean isServed(Path socket) {
        return SocketPlace.someoneListens(socket);
    }

    private static Listening listening(Recipe recipe, boolean takeLiving) {
        SocketPlace place = SocketPlace.prepare(recipe.socket(), takeLiving);
        Server server = builder(place, recipe).build();
        try {
            server.start();
            place.publish();
            return new Listening(server, place);
        } catch (IOException e) {
            server.shutdownNow();
            place.close();
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new Fault(FaultCode.SERVE_START, "listen unix " + recipe.socket() + ": " + Fault.words(reason), e);
        } catch (RuntimeException e) {
            server.shutdownNow();
            place.close();
            throw e;
        }
    }

    private static NettyServerBuilder builder(SocketPlace place, Recipe recipe) {
        TransportLimits limits = recipe.limits();
        return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(place.hidden()))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(recipe.loops().group())
                .workerEventLoopGroup(recipe.loops().group())
                .withChildOption(ChannelOption.ALLOCATOR, BUFFERS)
                .directExecutor()
                .addServices(recipe.services().stream().map(BoundedMessages::in).toList())
                .intercept(recipe.interceptor())
                .addStreamTracerFactory(MessageBound.each(limits))
                .flowControlWindow(FLOW_CONTROL_WINDOW)
                .maxInboundMetadataSize(HEADER_BYTES)
                // MessageBound is the limit.
                .maxInboundMessageSize(Integer.MAX_VALUE)
                // Half of what clients are told: a ping that comes a little early is no attack.
                .permitKeepAliveTime(limits.keepAlive().toMillis() / 2, TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true);
    }

    public Path socket() {
        return recipe.socket();
    }

    /// Listens anew when somebody removed the socket's file: a socket that lost its name cannot get it back. Calls that
    /// run go on.
    ///
    /// @throws Fault `SERVE_START` when it cannot be made again
    public synchronized SocketState putBack() {
        Listening last = all.getLast();
        if (refusing || last.place().presence() == SocketPlace.Presence.OURS) {
            return SocketState.THERE;
        }
        if (last.place().presence() == SocketPlace.Presence.FOREIGN) {
            return SocketState.TAKEN;
        }
        all.add(listening(recipe, false));
        last.server().shutdown();
        all.removeIf(one -> one.server().isTerminated());
        return SocketState.PUT_BACK;
    }

    public synchronized void removeSocket() {
        refusing = true;
        all.getLast().place().close();
    }

    /// Removes the socket and takes no new calls; running ones go on, idle connections are closed.
    public void refuseNew() {
        removeSocket();
        all.forEach(one -> one.server().shutdown());
    }

    /// Waits until the last answer has left, but not longer than given.
    public boolean awaitQuiet(long millis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean quiet = true;
        for (Listening one : all) {
            quiet &= one.server().awaitTermination(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
        return quiet;
    }

    /// Ends everything at once.
    @Override
    public void close() {
        refuseNew();
        all.forEach(one -> one.server().shutdownNow());
    }
}

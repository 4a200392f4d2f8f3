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

    private final Server server;
    private final SocketPlace place;

    private UnixSocketServer(Server server, SocketPlace place) {
        this.server = server;
        this.place = place;
    }

    /// Listens at `socket`, whose folder must exist; what lies there is replaced, unless it is a folder with entries.
    ///
    /// @throws Fault `SERVE_START` in the words of Argo CD's server; nothing is left behind
    public static UnixSocketServer listen(
            Path socket,
            List<ServerServiceDefinition> services,
            ServerInterceptor interceptor,
            TransportLimits limits,
            EventLoops loops) {
        SocketPlace place = SocketPlace.prepare(socket);
        Server server = builder(place, limits, loops)
                .addServices(services)
                .intercept(interceptor)
                .build();
        try {
            server.start();
            place.publish();
            return new UnixSocketServer(server, place);
        } catch (IOException e) {
            server.shutdownNow();
            place.close();
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new Fault(FaultCode.SERVE_START, "listen unix " + socket + ": " + Fault.words(reason), e);
        } catch (RuntimeException e) {
            server.shutdownNow();
            place.close();
            throw e;
        }
    }

    private static NettyServerBuilder builder(SocketPlace place, TransportLimits limits, EventLoops loops) {
        return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(place.hidden()))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loops.group())
                .workerEventLoopGroup(loops.group())
                .withChildOption(ChannelOption.ALLOCATOR, BUFFERS)
                .directExecutor()
                .flowControlWindow(FLOW_CONTROL_WINDOW)
                .maxInboundMetadataSize(HEADER_BYTES)
                .maxInboundMessageSize(limits.messageBytes())
                // Half of what clients are told: a ping that comes a little early is no attack.
                .permitKeepAliveTime(limits.keepAlive().toMillis() / 2, TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true);
    }

    public Path socket() {
        return place.socket();
    }

    public void removeSocket() {
        place.close();
    }

    /// Removes the socket and takes no new calls; running ones go on, idle connections are closed.
    public void refuseNew() {
        place.close();
        server.shutdown();
    }

    /// Waits until the last answer has left, but not longer than given.
    public boolean awaitQuiet(long millis) throws InterruptedException {
        return server.awaitTermination(millis, TimeUnit.MILLISECONDS);
    }

    /// Ends everything at once.
    @Override
    public void close() {
        refuseNew();
        server.shutdownNow();
    }
}

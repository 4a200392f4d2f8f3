package dev.remora.protocol;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/// The few threads that carry all sockets of a process: they move bytes and never wait, so one or two are enough
/// whatever the number of plugins and calls. NIO only: a native transport would have to unpack a library into a folder
/// that a read-only container does not have.
public final class EventLoops implements AutoCloseable {
    private final EventLoopGroup group;

    public EventLoops(String name, int threads) {
        QuietLibraries.hush();
        group = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
    }

    EventLoopGroup group() {
        return group;
    }

    @Override
    public void close() {
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}

package dev.remora.protocol;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// A client that speaks just enough HTTP/2 to ping as often as it likes; gRPC's own clients do so every 10 s at most.
final class PingingClient implements AutoCloseable {
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;

    private final SocketChannel channel;
    private final DataOutputStream out;
    private final DataInputStream in;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean away = new AtomicBoolean();

    PingingClient(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        out = new DataOutputStream(Channels.newOutputStream(channel));
        in = new DataInputStream(Channels.newInputStream(channel));
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(SETTINGS, 0, 0, new byte[0]);
        Thread.ofVirtual().start(this::read);
    }

    /// Opens a call and leaves it open.
    void startCall() throws IOException {
        var block = new java.io.ByteArrayOutputStream();
        header(block, ":method", "POST");
        header(block, ":scheme", "http");
        header(block, ":path", "/plugin.ConfigManagementPluginService/GenerateManifest");
        header(block, ":authority", "any");
        header(block, "content-type", "application/grpc");
        header(block, "te", "trailers");
        frame(HEADERS, END_HEADERS, 1, block.toByteArray());
    }

    /// The number of pings that were answered.
    int pingEvery(Duration pause, int times) throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            frame(PING, 0, 0, new byte[8]);
            Thread.sleep(pause);
        }
        for (int i = 0; i < 50 && answered.get() < times; i++) {
            Thread.sleep(20);
        }
        return answered.get();
    }

    boolean wentAway() {
        return away.get();
    }

    private void read() {
        try {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                in.readInt();
                in.readNBytes(length);
                if (type == PING && flags == ACK) {
                    answered.incrementAndGet();
                } else if (type == GOAWAY) {
                    away.set(true);
                } else if (type == SETTINGS && flags == 0) {
                    frame(SETTINGS, ACK, 0, new byte[0]);
                }
            }
        } catch (IOException closed) {
            return;
        }
    }

    private static void header(java.io.ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        block.write(name.length());
        block.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        block.write(value.length());
        block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    private synchronized void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

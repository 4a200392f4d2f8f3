package dev.remora.protocol;

import com.google.protobuf.MessageLite;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// A call as the bytes of its whole connection, made once and sent any number of times: what a process says to a server
/// of its own, where a real client would bring hundreds of classes.
///
/// HTTP/2 (RFC 9113): preface, settings, one HEADERS frame whose fields are not compressed (RFC 7541, section 6.2.2),
/// one DATA frame for each gRPC message, the last of which ends the stream.
public final class RecordedCall {
    /// What a receiver must take in one frame (RFC 9113, section 4.2), gRPC's prefix of five bytes included.
    private static final int MOST_MESSAGE_BYTES = 16_384 - 5;

    private static final int FRAME_HEADER = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int GO_AWAY = 7;
    private static final int END_STREAM = 1;
    private static final int ACKNOWLEDGED = 1;
    private static final int END_HEADERS = 4;
    private static final int STREAM = 1;

    private static final int METHOD_POST = 0x83;
    private static final int SCHEME_HTTP = 0x86;
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final ByteBuffer connection;

    private RecordedCall(byte[] connection) {
        this.connection = ByteBuffer.wrap(connection).asReadOnlyBuffer();
    }

    /// A call as its bytes.
    ///
    /// @param method with its service, such as `plugin.ConfigManagementPluginService/MatchRepository`
    /// @param messages each of at most 16 KiB
    public static RecordedCall of(String method, List<? extends MessageLite> messages) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(ascii(PREFACE));
        frame(all, SETTINGS, 0, 0, new byte[0]);
        frame(all, SETTINGS, ACKNOWLEDGED, 0, new byte[0]);
        frame(all, HEADERS, END_HEADERS, STREAM, headers(method));
        for (int i = 0; i < messages.size(); i++) {
            frame(all, DATA, i == messages.size() - 1 ? END_STREAM : 0, STREAM, message(messages.get(i)));
        }
        return new RecordedCall(all.toByteArray());
    }

    private static byte[] headers(String method) {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        fields.write(METHOD_POST);
        fields.write(SCHEME_HTTP);
        field(fields, ":path", "/" + method);
        field(fields, ":authority", "localhost");
        field(fields, "content-type", "application/grpc");
        field(fields, "te", "trailers");
        field(fields, "grpc-timeout", "60S");
        return fields.toByteArray();
    }

    /// Literal, without indexing, with a new name; lengths below 127 take one byte.
    private static void field(ByteArrayOutputStream fields, String name, String value) {
        fields.write(0);
        fields.write(name.length());
        fields.writeBytes(ascii(name));
        fields.write(value.length());
        fields.writeBytes(ascii(value));
    }

    private static byte[] message(MessageLite message) {
        int size = message.getSerializedSize();
        if (size > MOST_MESSAGE_BYTES) {
            throw new IllegalArgumentException(size + " bytes do not fit into one frame");
        }
        return ByteBuffer.allocate(5 + size)
                .put((byte) 0)
                .putInt(size)
                .put(message.toByteArray())
                .array();
    }

    private static void frame(ByteArrayOutputStream all, int type, int flags, int stream, byte[] payload) {
        ByteBuffer header = ByteBuffer.allocate(FRAME_HEADER)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream);
        all.writeBytes(header.array());
        all.writeBytes(payload);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// Makes the call on a connection of its own and waits for its end. Returns the bytes of the answer's message and
    /// its prefix: 0 means that there was none, which is how gRPC answers with an error.
    public int send(Path socket) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            ByteBuffer out = connection.duplicate();
            while (out.hasRemaining()) {
                int _ = channel.write(out);
            }
            return answer(channel);
        }
    }

    private static int answer(SocketChannel channel) throws IOException {
        ByteBuffer in =
                ByteBuffer.allocate(FRAME_HEADER + MOST_MESSAGE_BYTES + 5).limit(0);
        int received = 0;
        while (true) {
            require(channel, in, FRAME_HEADER);
            int lengthAndType = in.getInt();
            int flags = in.get();
            int stream = in.getInt();
            int length = lengthAndType >>> 8;
            int type = lengthAndType & 0xFF;
            if (length > in.capacity() - FRAME_HEADER) {
                throw new IOException("a frame of " + length + " bytes");
            }
            require(channel, in, length);
            in.position(in.position() + length);
            if (type == RESET || type == GO_AWAY) {
                return 0;
            }
            if (stream == STREAM && type == DATA) {
                received += length;
            }
            if (stream == STREAM && type <= HEADERS && (flags & END_STREAM) != 0) {
                return received;
            }
        }
    }

    private static void require(SocketChannel channel, ByteBuffer in, int bytes) throws IOException {
        if (in.remaining() >= bytes) {
            return;
        }
        in.compact();
        while (in.position() < bytes) {
            if (channel.read(in) < 0) {
                throw new EOFException("the server closed the connection");
            }
        }
        in.flip();
    }
}

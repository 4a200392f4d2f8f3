package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The wire as the table of docs/spec/wire.md has it: messages written by hand, by field number, sent by a client that
/// knows nothing of our generated code and has the options of Argo CD's.
class WireCompatibilityTest {
    private static final String SERVICE = "plugin.ConfigManagementPluginService/";
    private static final int MESSAGE_BYTES = 100 * 1024 * 1024;
    private static final int CHUNK = 1024;

    private static final MethodDescriptor.Marshaller<byte[]> RAW = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    @TempDir
    Path folder;

    /// What came back: the messages and the status.
    private record Answer(List<byte[]> messages, Status status) {}

    private interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    private static byte[] message(Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            fields.write(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] metadata(SmallArchive archive, String path, Map<String, String> environment) {
        byte[] metadata = message(out -> {
            out.writeString(1, "folder");
            out.writeString(2, path);
            out.writeString(3, archive.sha256());
            out.writeInt64(4, archive.bytes().length);
            for (Map.Entry<String, String> entry : environment.entrySet()) {
                out.writeByteArray(5, message(env -> {
                    env.writeString(1, entry.getKey());
                    env.writeString(2, entry.getValue());
                }));
            }
            out.writeString(99, "a field of a later version");
        });
        return message(out -> out.writeByteArray(1, metadata));
    }

    private static byte[] chunk(byte[] bytes) {
        return message(out -> out.writeByteArray(2, message(file -> file.writeByteArray(1, bytes))));
    }

    private static List<byte[]> request(SmallArchive archive, String path, Map<String, String> environment) {
        List<byte[]> messages = new ArrayList<>();
        messages.add(metadata(archive, path, environment));
        for (int at = 0; at < archive.bytes().length; at += CHUNK) {
            messages.add(chunk(Arrays.copyOfRange(archive.bytes(), at, Math.min(at + CHUNK, archive.bytes().length))));
        }
        return messages;
    }

    /// Field number to the values found under it.
    private static Map<Integer, List<Object>> fields(byte[] message) {
        Map<Integer, List<Object>> fields = new TreeMap<>();
        CodedInputStream in = CodedInputStream.newInstance(message);
        try {
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                Object value = switch (WireFormat.getTagWireType(tag)) {
                    case WireFormat.WIRETYPE_VARINT -> in.readRawVarint64();
                    case WireFormat.WIRETYPE_LENGTH_DELIMITED -> new String(in.readByteArray(), StandardCharsets.UTF_8);
                    default -> throw new AssertionError("tag " + tag);
                };
                fields.computeIfAbsent(WireFormat.getTagFieldNumber(tag), number -> new ArrayList<>())
                        .add(value);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return fields;
    }

    private static Answer call(Path socket, String method, List<byte[]> requests, boolean halfClose) throws Exception {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(loop)
                .overrideAuthority("home%2Fargocd%2Fcmp-server%2Fplugins%2Fcat.sock")
                .usePlaintext()
                .maxInboundMessageSize(MESSAGE_BYTES)
                .keepAliveTime(20, TimeUnit.SECONDS)
                .keepAliveTimeout(20, TimeUnit.SECONDS)
                .build();
        BlockingQueue<Answer> answers = new ArrayBlockingQueue<>(1);
        try {
            boolean unary = method.equals("CheckPluginConfiguration");
            ClientCall<byte[], byte[]> call = channel.newCall(
                    MethodDescriptor.newBuilder(RAW, RAW)
                            .setFullMethodName(SERVICE + method)
                            .setType(
                                    unary
                                            ? MethodDescriptor.MethodType.UNARY
                                            : MethodDescriptor.MethodType.CLIENT_STREAMING)
                            .build(),
                    CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS));
            List<byte[]> messages = new ArrayList<>();
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onMessage(byte[] message) {
                            messages.add(message);
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            answers.add(new Answer(messages, status));
                        }
                    },
                    new Metadata());
            call.request(2);
            requests.forEach(call::sendMessage);
            if (halfClose) {
                call.halfClose();
            }
            Answer answer = answers.poll(25, TimeUnit.SECONDS);
            assertThat(answer).isNotNull();
            return answer;
        } finally {
            channel.shutdownNow();
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(2, TimeUnit.SECONDS);
        }
    }

    private static final SmallArchive ARCHIVE =
            SmallArchive.of(new TreeMap<>(Map.of("x.yaml", "apiVersion: v1\nkind: X\nmetadata: {name: a}\n")));

    @Test
    void generates() throws Exception {
        String both = RunningSidecar.definition(
                "cat", "cat *.yaml; printf -- '---\\napiVersion: v1\\nkind: Z\\nv: '; echo $WORD");
        try (var sidecar = new RunningSidecar(folder, both)) {
            Answer answer = call(
                    sidecar.socket("cat"), "GenerateManifest", request(ARCHIVE, ".", Map.of("WORD", "héllo")), true);
            assertThat(answer.status().getCode()).isEqualTo(Status.Code.OK);
            assertThat(fields(answer.messages().getFirst()))
                    .isEqualTo(Map.of(
                            1,
                            List.of(
                                    "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{\"name\":\"a\"}}",
                                    "{\"apiVersion\":\"v1\",\"kind\":\"Z\",\"v\":\"héllo\"}")));
        }
    }

    @Test
    void matchesAndChecks() throws Exception {
        String discovering = RunningSidecar.CAT + "  discover: {fileName: '*.yaml'}\n  provideGitCreds: true\n";
        try (var sidecar = new RunningSidecar(folder, discovering)) {
            Answer match = call(sidecar.socket("cat"), "MatchRepository", request(ARCHIVE, ".", Map.of()), true);
            assertThat(fields(match.messages().getFirst())).isEqualTo(Map.of(1, List.of(1L), 2, List.of(1L)));
            Answer none = call(
                    sidecar.socket("cat"),
                    "MatchRepository",
                    request(SmallArchive.of(Map.of("x.txt", "")), ".", Map.of()),
                    true);
            assertThat(fields(none.messages().getFirst())).isEqualTo(Map.of(2, List.of(1L)));
            Answer check = call(sidecar.socket("cat"), "CheckPluginConfiguration", List.of(new byte[0]), true);
            assertThat(fields(check.messages().getFirst())).isEqualTo(Map.of(1, List.of(1L), 2, List.of(1L)));
        }
    }

    @Test
    void announces() throws Exception {
        String announcing =
                RunningSidecar.CAT + "  parameters: {static: [{name: nm, title: t, tooltip: i, required: true,"
                        + " itemType: number, collectionType: map, string: s, array: [a, b], map: {k: v}}]}\n";
        try (var sidecar = new RunningSidecar(folder, announcing)) {
            Answer answer =
                    call(sidecar.socket("cat"), "GetParametersAnnouncement", request(ARCHIVE, ".", Map.of()), true);
            byte[] announcement = nested(answer.messages().getFirst());
            Map<Integer, List<Object>> fields = fields(announcement);
            assertThat(fields.get(9)).hasSize(1);
            fields.remove(9);
            assertThat(fields)
                    .isEqualTo(Map.of(
                            1,
                            List.of("nm"),
                            2,
                            List.of("t"),
                            3,
                            List.of("i"),
                            4,
                            List.of(1L),
                            5,
                            List.of("number"),
                            6,
                            List.of("map"),
                            7,
                            List.of("s"),
                            8,
                            List.of("a", "b")));
        }
    }

    private static byte[] nested(byte[] message) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(message);
        assertThat(WireFormat.getTagFieldNumber(in.readTag())).isEqualTo(1);
        return in.readByteArray();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none|error receiving stream header: EOF",
                "empty|error getting stream metadata: metadata is nil",
                "file first|error getting stream metadata: metadata is nil",
                "two metadata|error receiving tgz file: stream request file is nil",
                "nothing after metadata|error receiving tgz file: file checksum validation error: 0 of ",
                "extra bytes|error receiving tgz file: file checksum validation error: "
            })
    void refusesStreamsInTheWrongOrder(String order, String error) throws Exception {
        byte[] metadata = metadata(ARCHIVE, ".", Map.of());
        byte[] file = chunk(ARCHIVE.bytes());
        List<byte[]> requests = switch (order) {
            case "none" -> List.of();
            case "empty" -> List.of(new byte[0], file);
            case "file first" -> List.of(file, metadata);
            case "two metadata" -> List.of(metadata, metadata, file);
            case "nothing after metadata" -> List.of(metadata);
            case "extra bytes" -> List.of(metadata, file, chunk(new byte[7]));
            default -> throw new AssertionError(order);
        };
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT)) {
            Answer answer = call(sidecar.socket("cat"), "GenerateManifest", requests, true);
            assertThat(answer.status().getCode()).isEqualTo(Status.Code.UNKNOWN);
            assertThat(answer.status().getDescription())
                    .startsWith("generate manifest error receiving stream: " + error);
        }
    }

    @Test
    void bearsEmptyChunks() throws Exception {
        List<byte[]> requests = new ArrayList<>(request(ARCHIVE, ".", Map.of()));
        requests.add(1, chunk(new byte[0]));
        requests.add(chunk(new byte[0]));
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT)) {
            Answer answer = call(sidecar.socket("cat"), "GenerateManifest", requests, true);
            assertThat(answer.status().getCode()).isEqualTo(Status.Code.OK);
        }
    }

    @Test
    void answersAClientThatDoesNotHalfCloseOnceItIsRefused() throws Exception {
        List<byte[]> requests = List.of(chunk(ARCHIVE.bytes()));
        try (var sidecar = new RunningSidecar(folder, RunningSidecar.CAT)) {
            Answer answer = call(sidecar.socket("cat"), "GenerateManifest", requests, false);
            assertThat(answer.status().getDescription()).contains("metadata is nil");
        }
    }
}

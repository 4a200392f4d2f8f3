package dev.remora.telemetry;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Lets OpenTelemetry send through the gRPC library that the server speaks anyway. Its own default brings an HTTP
/// client, with Kotlin's library, of 3 MB.
///
/// Found by name in `META-INF/services`. An export that fails is dropped and reported to OpenTelemetry's logger:
/// spans are never worth holding a server up.
public final class OtlpSenders implements GrpcSenderProvider {
    /// A collector's answer is a few bytes about spans that it did not take.
    private static final int LONGEST_ANSWER = 64 * 1024;

    @Override
    public GrpcSender createSender(GrpcSenderConfig config) {
        ManagedChannelBuilder<?> channel =
                ManagedChannelBuilder.forTarget(config.getEndpoint().getAuthority());
        channel.maxInboundMessageSize(LONGEST_ANSWER);
        if (config.getEndpoint().getScheme().equals("http")) {
            channel.usePlaintext();
        } else {
            channel.useTransportSecurity();
        }
        return new ChannelSender(channel.build(), config);
    }

    /// One method of one collector.
    private static final class ChannelSender implements GrpcSender {
        private final ManagedChannel channel;
        private final GrpcSenderConfig config;
        private final MethodDescriptor<MessageWriter, byte[]> method;

        ChannelSender(ManagedChannel channel, GrpcSenderConfig config) {
            this.channel = channel;
            this.config = config;
            this.method = MethodDescriptor.newBuilder(new Request(), new Answer())
                    .setType(MethodType.UNARY)
                    .setFullMethodName(config.getFullMethodName())
                    .build();
        }

        @Override
        public void send(MessageWriter message, Consumer<GrpcResponse> answered, Consumer<Throwable> failed) {
            var call = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers()))
                    .newCall(
                            method,
                            CallOptions.DEFAULT.withDeadlineAfter(
                                    config.getTimeout().toNanos(), TimeUnit.NANOSECONDS));
            ClientCalls.asyncUnaryCall(call, message, new Receiver(answered, failed));
        }

        private Metadata headers() {
            Metadata headers = new Metadata();
            config.getHeadersSupplier()
                    .get()
                    .forEach((name, values) -> values.forEach(
                            value -> headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value)));
            return headers;
        }

        @Override
        public CompletableResultCode shutdown() {
            channel.shutdownNow();
            return CompletableResultCode.ofSuccess();
        }
    }

    /// Tells OpenTelemetry once how a call ended.
    private static final class Receiver implements StreamObserver<byte[]> {
        private final Consumer<GrpcResponse> answered;
        private final Consumer<Throwable> failed;
        private byte[] answer = {};

        Receiver(Consumer<GrpcResponse> answered, Consumer<Throwable> failed) {
            this.answered = answered;
            this.failed = failed;
        }

        @Override
        public void onNext(byte[] value) {
            answer = value;
        }

        @Override
        public void onError(Throwable failure) {
            Status status = Status.fromThrowable(failure);
            if (status.getCode() == Status.Code.UNKNOWN) {
                failed.accept(failure);
            } else {
                answered.accept(new Response(status, new byte[0]));
            }
        }

        @Override
        public void onCompleted() {
            answered.accept(new Response(Status.OK, answer));
        }
    }

    private static final class Response implements GrpcResponse {
        private final Status status;
        private final byte[] message;

        Response(Status status, byte[] message) {
            this.status = status;
            this.message = message;
        }

        @Override
        public GrpcStatusCode getStatusCode() {
            return GrpcStatusCode.fromValue(status.getCode().value());
        }

        @Override
        public String getStatusDescription() {
            String description = status.getDescription();
            return description == null ? "" : description;
        }

        @Override
        public byte[] getResponseMessage() {
            return message;
        }
    }

    /// Writes what OpenTelemetry has encoded already.
    private static final class Request implements Marshaller<MessageWriter> {
        @Override
        public InputStream stream(MessageWriter message) {
            var bytes = new ByteArrayOutputStream(message.getContentLength());
            try {
                message.writeMessage(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new ByteArrayInputStream(bytes.toByteArray());
        }

        @Override
        public MessageWriter parse(InputStream stream) {
            throw new UnsupportedOperationException("requests are only sent");
        }
    }

    private static final class Answer implements Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readNBytes(LONGEST_ANSWER);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

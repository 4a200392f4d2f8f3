package dev.remora.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.remora.wire.AppStreamRequest;
import dev.remora.wire.ConfigManagementPluginServiceGrpc;
import dev.remora.wire.File;
import dev.remora.wire.ManifestResponse;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Against a real server.
class RecordedCallTest {
    private static final String METHOD =
            ConfigManagementPluginServiceGrpc.getGenerateManifestMethod().getFullMethodName();

    @TempDir
    Path folder;

    @Test
    void bringsAllMessagesAndTellsTheSizeOfTheAnswer() throws Exception {
        List<String> arrived = new ArrayList<>();
        ManifestResponse answer = ManifestResponse.newBuilder()
                .addManifests(ByteString.copyFromUtf8("x".repeat(40_000)))
                .build();
        RecordedCall call = RecordedCall.of(METHOD, List.of(chunk("first"), chunk("y".repeat(16_000))));

        int size = sent(call, inbound -> {
            Optional<AppStreamRequest> message = inbound.messages().next(soon());
            while (message.isPresent()) {
                arrived.add(message.get().getFile().getChunk().toStringUtf8());
                message = inbound.messages().next(soon());
            }
            return answer;
        });

        assertThat(arrived).containsExactly("first", "y".repeat(16_000));
        assertThat(size).isEqualTo(answer.getSerializedSize() + 5);
    }

    @Test
    void tellsThatThereWasNoAnswer() throws Exception {
        int size = sent(RecordedCall.of(METHOD, List.of(chunk("first"))), inbound -> {
            throw Status.NOT_FOUND.asRuntimeException();
        });

        assertThat(size).isZero();
    }

    @Test
    void refusesWhatDoesNotFitIntoOneFrame() {
        assertThatThrownBy(() -> RecordedCall.of(METHOD, List.of(chunk("x".repeat(17_000)))))
                .hasMessageContaining("do not fit into one frame");
    }

    private int sent(RecordedCall call, BlockingCalls.Work<AppStreamRequest, ManifestResponse> work)
            throws IOException {
        try (var plugin = new FakePlugin(folder.resolve("s"), TransportLimits.DEFAULT, work)) {
            return call.send(plugin.server.socket());
        }
    }

    private static long soon() {
        return System.nanoTime() + Duration.ofSeconds(30).toNanos();
    }

    private static AppStreamRequest chunk(String text) {
        return AppStreamRequest.newBuilder()
                .setFile(File.newBuilder().setChunk(ByteString.copyFromUtf8(text)))
                .build();
    }
}

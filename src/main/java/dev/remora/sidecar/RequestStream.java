package dev.remora.sidecar;

import com.google.protobuf.ByteString;
import dev.remora.archive.ArchiveReport;
import dev.remora.archive.EntrySink;
import dev.remora.archive.Received;
import dev.remora.archive.TarGzUnpacker;
import dev.remora.archive.UnpackOptions;
import dev.remora.digest.Sha256;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.Departure;
import dev.remora.telemetry.Phase;
import dev.remora.wire.AppStreamRequest;
import dev.remora.wire.ManifestRequestMetadata;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/// The request side of a streaming call: one message of metadata, then the archive in any number of chunks, then the
/// sender's half-close. Anything else is refused in Argo CD's words (docs/spec/wire.md, "Stream order").
final class RequestStream {
    /// A sender that says nothing for so long, has no deadline and did not half-close, has forgotten the call.
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(10);
    /// What is read on after a fault so that the sender gets our reason instead of a broken stream ("EOF").
    private static final long DRAINED_BYTES = 4L << 30;

    private static final Duration DRAINED_TIME = Duration.ofSeconds(30);
    private static final Duration DRAINED_SILENCE = Duration.ofSeconds(5);

    private final CallSession call;
    private final ServerParts parts;
    private boolean ended;

    RequestStream(CallSession call, ServerParts parts) {
        this.call = call;
        this.parts = parts;
    }

    /// Reads the first message and tells the session what it says.
    void begin() {
        AppStreamRequest first = next(LONGEST_SILENCE)
                .orElseThrow(() -> new Fault(FaultCode.STREAM_INVALID, "error receiving stream header: EOF"));
        if (!first.hasMetadata()) {
            throw new Fault(FaultCode.STREAM_INVALID, "error getting stream metadata: metadata is nil");
        }
        call.about(first.getMetadata());
    }

    /// Unpacks the archive into `sink` while it arrives. Returns once all of it is there and its checksum is right.
    ArchiveReport unpack(EntrySink sink, UnpackOptions options) {
        return parts.options().rules().departures().asArgoCd(Departure.STORE_ARCHIVE)
                ? storeThenUnpack(sink, options)
                : unpackOnTheWay(sink, options);
    }

    private ArchiveReport storeThenUnpack(EntrySink sink, UnpackOptions options) {
        try (TarGzUnpacker unpacker = new TarGzUnpacker(sink, options);
                StoredArchive stored = new StoredArchive(parts.workRoot())) {
            Optional<ByteString> chunk = chunk();
            while (chunk.isPresent()) {
                stored.add(chunk.get().asReadOnlyByteBuffer());
                chunk = chunk();
            }
            compare(stored.received());
            return call.phases().time(Phase.UNPACK, () -> {
                stored.readInto(unpacker);
                return finish(unpacker);
            });
        }
    }

    private ArchiveReport unpackOnTheWay(EntrySink sink, UnpackOptions options) {
        try (TarGzUnpacker unpacker = new TarGzUnpacker(sink, options)) {
            Optional<ByteString> chunk = chunk();
            while (chunk.isPresent()) {
                ByteString bytes = chunk.get();
                call.phases().time(Phase.UNPACK, () -> accept(unpacker, bytes));
                chunk = chunk();
            }
            return call.phases().time(Phase.UNPACK, () -> finish(unpacker));
        }
    }

    private static boolean accept(TarGzUnpacker unpacker, ByteString bytes) {
        unpacker.accept(bytes.asReadOnlyByteBuffer());
        return true;
    }

    private ArchiveReport finish(TarGzUnpacker unpacker) {
        compare(unpacker.received());
        try {
            return unpacker.finish();
        } catch (Fault fault) {
            throw fault.in("error decompressing tgz file: ");
        }
    }

    /// Reads the archive only to see that it is the one announced.
    void skim() {
        MessageDigest digest = Sha256.digest();
        long bytes = 0;
        Optional<ByteString> chunk = chunk();
        while (chunk.isPresent()) {
            bytes += chunk.get().size();
            digest.update(chunk.get().asReadOnlyByteBuffer());
            chunk = chunk();
        }
        compare(new Received(bytes, HexFormat.of().formatHex(digest.digest())));
    }

    /// Reads on after a fault, as long as that is cheap.
    void drain() {
        long until = System.nanoTime() + DRAINED_TIME.toNanos();
        long bytes = 0;
        try {
            while (!ended && bytes < DRAINED_BYTES && System.nanoTime() < until) {
                bytes += next(DRAINED_SILENCE)
                        .map(AppStreamRequest::getSerializedSize)
                        .orElse(0);
            }
        } catch (Fault callerGoneOrLate) {
            // The fault that brought us here is the one to report.
            ended = true;
        }
    }

    private Optional<ByteString> chunk() {
        Optional<AppStreamRequest> message = next(LONGEST_SILENCE);
        if (message.isEmpty()) {
            return Optional.empty();
        }
        if (!message.get().hasFile()) {
            throw new Fault(FaultCode.STREAM_INVALID, "error receiving tgz file: stream request file is nil");
        }
        ByteString chunk = message.get().getFile().getChunk();
        call.received(chunk.size());
        return Optional.of(chunk);
    }

    private Optional<AppStreamRequest> next(Duration silence) {
        long deadline = call.lastMomentNanos();
        long patience = System.nanoTime() + silence.toNanos();
        boolean patienceFirst = patience - deadline < 0;
        try {
            Optional<AppStreamRequest> message = call.phases()
                    .time(Phase.RECEIVE, () -> call.inbound().messages().next(patienceFirst ? patience : deadline));
            ended = message.isEmpty();
            return message;
        } catch (Fault fault) {
            throw fault.code() == FaultCode.CALL_DEADLINE ? late(patienceFirst, silence) : fault;
        }
    }

    private Fault late(boolean patienceFirst, Duration silence) {
        String received = call.bytesIn() + " of " + call.metadata().getSize() + " bytes had been received";
        return patienceFirst
                ? new Fault(
                        FaultCode.STREAM_INVALID,
                        "the caller sent nothing for " + silence.toSeconds() + "s and did not end its stream; "
                                + received)
                : new Fault(
                        FaultCode.CALL_DEADLINE,
                        "context deadline exceeded: the caller's time ran out in "
                                + Phase.RECEIVE.word() + " (" + call.phases().upTo(Phase.RECEIVE) + "); " + received
                                + "; raise the caller's timeout or send less");
    }

    private void compare(Received received) {
        ManifestRequestMetadata announced = call.metadata();
        if (received.sha256().equals(announced.getChecksum().toStringUtf8())) {
            return;
        }
        String what = received.bytes() == announced.getSize()
                ? "the " + received.bytes() + " bytes received are not the ones announced"
                : received.bytes() + " of " + announced.getSize() + " bytes received";
        throw new Fault(FaultCode.STREAM_CHECKSUM, "error receiving tgz file: file checksum validation error: " + what);
    }
}

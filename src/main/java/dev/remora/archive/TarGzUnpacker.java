package dev.remora.archive;

import dev.remora.digest.Sha256;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.NativeBuffer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/// Hashes, inflates and unpacks a tar.gz while its bytes arrive, in memory that does not grow with the archive.
///
/// ```java
/// try (var unpacker = new TarGzUnpacker(new WorkspaceSink(workspace, options), options)) {
///     while (chunks.hasNext()) {
///         unpacker.accept(chunks.next());
///     }
///     compare(unpacker.received().sha256());       // before anything runs
///     ArchiveReport report = unpacker.finish();    // throws what was wrong with the archive
/// }
/// ```
///
/// A fault of the archive is kept until [#finish], and the rest is only hashed: the caller has to drain the stream
/// anyway,
/// and a wrong checksum explains a broken archive better than the breakage does. For one thread.
public final class TarGzUnpacker implements AutoCloseable {
    /// Small chunks are gathered up to this: a call into zlib or SHA-256 for each of them would cost more than a
    /// copy.
    private static final int GATHERED = 16 << 10;
    /// Inflated bytes that are looked at together.
    private static final int WINDOW = 128 << 10;

    private final MessageDigest digest = Sha256.digest();
    private final byte[] gathered = new byte[GATHERED];
    private int gatheredLength;
    private long compressed;
    private final NativeBuffer window = NativeBuffer.allocate(WINDOW);
    private final EntrySink sink;
    private final Optional<NarrowedSink> narrowed;
    private final TarEntries entries;
    private final GzipMembers gzip;
    private Optional<Fault> failure = Optional.empty();
    private Optional<Received> received = Optional.empty();

    public TarGzUnpacker(EntrySink sink, UnpackOptions options) {
        this.sink = sink;
        this.narrowed = options.inputs().narrowing(sink);
        this.entries = new TarEntries(narrowed.<EntrySink>map(each -> each).orElse(sink), options);
        this.gzip = new GzipMembers(window.bytes(), this::unpack);
    }

    public TarGzUnpacker(EntrySink sink, ArchiveLimits limits) {
        this(sink, UnpackOptions.DEFAULT.within(limits));
    }

    /// Takes the next bytes of the stream, any number.
    public void accept(ByteBuffer chunk) {
        if (gatheredLength == 0 && chunk.remaining() >= GATHERED) {
            take(chunk.duplicate());
            return;
        }
        ByteBuffer rest = chunk.duplicate();
        while (rest.hasRemaining()) {
            int part = Math.min(rest.remaining(), GATHERED - gatheredLength);
            rest.get(gathered, gatheredLength, part);
            gatheredLength += part;
            if (gatheredLength == GATHERED) {
                flush();
            }
        }
    }

    /// Whether the archive is refused already; the rest of the stream need not be sent then.
    public boolean failed() {
        return failure.isPresent();
    }

    /// What arrived in all. Nothing may follow.
    public Received received() {
        if (received.isEmpty()) {
            flush();
            received = Optional.of(new Received(compressed, HexFormat.of().formatHex(digest.digest())));
        }
        return received.get();
    }

    /// Unpacks the last bytes and says what the archive held.
    ///
    /// @throws Fault ARCHIVE_INVALID, ARCHIVE_LIMIT or WORKSPACE: the first thing that was wrong
    public ArchiveReport finish() {
        Received all = received();
        guarded(gzip::end);
        guarded(entries::end);
        if (failure.isPresent()) {
            throw failure.get();
        }
        return entries.report(all.bytes(), narrowed.map(NarrowedSink::skipped).orElse(SkippedNames.NONE));
    }

    private void flush() {
        if (gatheredLength > 0) {
            ByteBuffer bytes = ByteBuffer.wrap(gathered, 0, gatheredLength);
            gatheredLength = 0;
            take(bytes);
        }
    }

    private void take(ByteBuffer bytes) {
        compressed += bytes.remaining();
        digest.update(bytes.duplicate());
        guarded(() -> gzip.accept(bytes));
    }

    private boolean unpack(ByteBuffer inflated) {
        entries.accept(inflated, compressed);
        return !entries.isOver();
    }

    private void guarded(Runnable step) {
        if (failure.isEmpty()) {
            try {
                step.run();
            } catch (TarGzException e) {
                failure = Optional.of(new Fault(FaultCode.ARCHIVE_INVALID, doing(e) + Fault.words(e), e));
            } catch (Fault e) {
                failure = Optional.of(e);
            }
        }
    }

    private String doing(TarGzException e) {
        return e.isBeforeData() ? "error reading file: " : entries.doing();
    }

    @Override
    public void close() {
        gzip.close();
        sink.close();
        window.close();
    }
}

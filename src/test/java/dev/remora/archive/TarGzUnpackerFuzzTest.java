package dev.remora.archive;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Any bytes end in a report or in one of three kinds of fault, soon and in bounded memory. The first byte says how
/// the rest is meant: as a gzip stream, or as a tar to be packed first; and how large the chunks are.
class TarGzUnpackerFuzzTest {
    private static final ArchiveLimits LIMITS = new ArchiveLimits(16 << 20, 1000, 4096, 128, 1000);

    @FuzzTest(maxDuration = "20s")
    void endsInAReportOrAFault(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] rest = Arrays.copyOfRange(input, 1, input.length);
        byte[] archive = (input[0] & 1) == 0 ? rest : FakeArchive.gzip(rest);
        int chunk = 1 + (input[0] & 0xFE) * 8;
        FakeSink sink = new FakeSink();
        try (TarGzUnpacker unpacker = new TarGzUnpacker(sink, LIMITS)) {
            for (int at = 0; at < archive.length; at += chunk) {
                unpacker.accept(ByteBuffer.wrap(archive, at, Math.min(chunk, archive.length - at)));
            }
            check(unpacker.finish(), sink, archive.length);
        } catch (Fault e) {
            if (e.code() != FaultCode.ARCHIVE_INVALID && e.code() != FaultCode.ARCHIVE_LIMIT) {
                throw e;
            }
        }
    }

    private static void check(ArchiveReport report, FakeSink sink, int received) {
        if (report.compressed() != received || report.unpacked() != sink.contentBytes) {
            throw new AssertionError(report + " but the sink got " + sink.contentBytes);
        }
        for (String name : sink.names) {
            if (name.startsWith("/") || name.startsWith("../") || name.contains("/../")) {
                throw new AssertionError(name);
            }
        }
    }
}

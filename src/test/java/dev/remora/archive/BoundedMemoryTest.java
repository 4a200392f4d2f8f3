package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.ChildJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An archive of 1 GiB goes through a JVM with 64 MiB.
class BoundedMemoryTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void unpacksAGibibyteInSixtyFourMebibytes() throws Exception {
        ChildJvm.Result result = new ChildJvm()
                .with("-Xmx64m")
                .with("-XX:MaxDirectMemorySize=16m")
                .run(Unpacking.class, folder.toString());

        assertThat(result.output()).matches("1073741824 bytes, resident less than 200 MiB: true\n");
        assertThat(Files.size(folder.resolve("zeros"))).isEqualTo(1 << 30);
    }

    static final class Unpacking {
        private Unpacking() {}

        public static void main(String[] args) throws IOException {
            UnpackOptions options = UnpackOptions.DEFAULT.within(new ArchiveLimits(0, 0, 0, 0, 0));
            ArchiveReport report = Unpacked.reportOf(Path.of(args[0]), Unpacking::write, options);
            long resident = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElseThrow();
            System.out.println(report.unpacked() + " bytes, resident less than 200 MiB: " + (resident < 200));
        }

        /// Stored, not deflated, so that as many bytes arrive as are unpacked. The file stays sparse on most file
        /// systems
        /// only by luck; a GiB is what it takes.
        private static void write(OutputStream out) throws IOException {
            try (GZIPOutputStream gzip = new GZIPOutputStream(out, MIB) {
                {
                    def.setLevel(Deflater.NO_COMPRESSION);
                }
            }) {
                gzip.write(new FakeArchive()
                        .header("zeros".getBytes(java.nio.charset.StandardCharsets.UTF_8), '0', 0644, 1 << 30, "")
                        .tar());
                byte[] zeros = new byte[MIB];
                for (int i = 0; i < 1024; i++) {
                    gzip.write(zeros);
                }
                gzip.write(new byte[1024]);
            }
        }
    }

    /// Hands each written piece on as a chunk.
    static final class ChunkStream extends OutputStream {
        private final TarGzUnpacker unpacker;

        ChunkStream(TarGzUnpacker unpacker) {
            this.unpacker = unpacker;
        }

        @Override
        public void write(int b) {
            unpacker.accept(ByteBuffer.wrap(new byte[] {(byte) b}));
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            unpacker.accept(ByteBuffer.wrap(bytes, from, length));
        }
    }
}

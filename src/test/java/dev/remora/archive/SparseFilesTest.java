package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sparse files in all forms of GNU tar, as Go's reader takes them.
class SparseFilesTest {
    private static final String WHOLE = "ab\0\0\0cde\0\0";

    @TempDir
    Path folder;

    private static FakeArchive archive() {
        return new FakeArchive();
    }

    /// Two parts, `ab` at 0 and `cde` at 5, in a file of 10 bytes called `f`; then a plain file.
    private static Stream<Arguments> forms() {
        return Stream.of(
                arguments(
                        "0.0",
                        archive()
                                .pax(
                                        "GNU.sparse.size", "10",
                                        "GNU.sparse.numblocks", "2",
                                        "GNU.sparse.offset", "0",
                                        "GNU.sparse.numbytes", "2",
                                        "GNU.sparse.offset", "5",
                                        "GNU.sparse.numbytes", "3")
                                .file("f", "abcde")),
                arguments(
                        "0.1",
                        archive()
                                .pax(
                                        "GNU.sparse.major", "0",
                                        "GNU.sparse.minor", "1",
                                        "GNU.sparse.name", "f",
                                        "GNU.sparse.size", "10",
                                        "GNU.sparse.numblocks", "2",
                                        "GNU.sparse.map", "0,2,5,3")
                                .file("GNUSparseFile.1/f", "abcde")),
                arguments(
                        "1.0",
                        archive()
                                .pax(
                                        "GNU.sparse.major", "1",
                                        "GNU.sparse.minor", "0",
                                        "GNU.sparse.name", "f",
                                        "GNU.sparse.realsize", "10")
                                .file("GNUSparseFile.1/f", block("2\n0\n2\n5\n3\n") + "abcde")));
    }

    private static String block(String lines) {
        return lines + "\0".repeat(512 - lines.length());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void expandsASparseFile(String form, FakeArchive sparse) {
        byte[] packed = sparse.file("z", "2").end().gzip();

        assertThat(Unpacked.into(folder, packed, UnpackOptions.DEFAULT).tree()).isEqualTo(Map.of("f", WHOLE, "z", "2"));
    }

    @Test
    void readsAMapOfManyBlocks() {
        StringBuilder lines = new StringBuilder("300\n");
        StringBuilder content = new StringBuilder();
        StringBuilder whole = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            lines.append(10 * i).append("\n4\n");
            content.append("%04d".formatted(i));
            whole.append("%04d".formatted(i)).append("\0".repeat(6));
        }
        String padded = lines + "\0".repeat(-lines.length() & 511);
        byte[] packed = archive()
                .pax("GNU.sparse.major", "1", "GNU.sparse.minor", "0", "GNU.sparse.realsize", "3000")
                .file("f", padded + content)
                .end()
                .gzip();

        assertThat(Unpacked.into(folder, packed, UnpackOptions.DEFAULT).tree())
                .isEqualTo(Map.of("f", whole.toString()));
    }

    @Test
    void takesAFileOfHolesOnlyAndAnUnknownVersionAsAPlainFile() {
        byte[] packed = archive()
                .pax("GNU.sparse.major", "1", "GNU.sparse.minor", "0", "GNU.sparse.size", "3")
                .file("holes", block("0\n"))
                .pax("GNU.sparse.major", "2", "GNU.sparse.minor", "0", "GNU.sparse.size", "3")
                .file("plain", "abc")
                .end()
                .gzip();

        assertThat(Unpacked.into(folder, packed, UnpackOptions.DEFAULT).tree())
                .isEqualTo(Map.of("holes", "\0\0\0", "plain", "abc"));
    }

    private static Stream<Arguments> faults() {
        return Stream.of(
                arguments("overlap", records("0,2,1,3", "2", "10"), "archive/tar: invalid tar header"),
                arguments("beyond", records("0,2,9,3", "2", "10"), "archive/tar: invalid tar header"),
                arguments("count", records("0,2,5,3", "3", "10"), "archive/tar: invalid tar header"),
                arguments("odd", records("0,2,5", "2", "10"), "archive/tar: invalid tar header"),
                arguments("comma at the end", records("0,2,5,3,", "2", "10"), "archive/tar: invalid tar header"),
                arguments("no number", records("0,2,x,3", "2", "10"), "archive/tar: invalid tar header"),
                arguments("negative", records("0,2,5,-3", "2", "10"), "archive/tar: invalid tar header"),
                arguments("overflow", records("0,2,5," + Long.MAX_VALUE, "2", "10"), "archive/tar: invalid tar header"),
                arguments("negative size", records("0,2,5,3", "2", "-1"), "archive/tar: invalid tar header"),
                arguments("too little", records("0,2,5,4", "2", "10"), "sparse file references non-existent data"),
                arguments("too much", records("0,2,5,2", "2", "10"), "sparse file contains unreferenced data"),
                arguments(
                        "a link",
                        archive()
                                .pax("GNU.sparse.map", "0,2", "GNU.sparse.numblocks", "1", "GNU.sparse.size", "2")
                                .link("f", "z"),
                        "archive/tar: invalid tar header"),
                arguments(
                        "cut lines",
                        archive()
                                .pax("GNU.sparse.major", "1", "GNU.sparse.minor", "0")
                                .file("f", "1\n"),
                        "unexpected EOF"),
                arguments(
                        "lines without end",
                        archive()
                                .pax("GNU.sparse.major", "1", "GNU.sparse.minor", "0")
                                .file("f", "9".repeat(2 << 20)),
                        "archive/tar: sparse map too long"));
    }

    private static FakeArchive records(String map, String count, String size) {
        return archive()
                .pax("GNU.sparse.map", map, "GNU.sparse.numblocks", count, "GNU.sparse.size", size)
                .file("f", "abcde");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void refusesAWrongMap(String what, FakeArchive sparse, String message) {
        byte[] packed = sparse.end().gzip();

        assertThatThrownBy(() -> Unpacked.into(folder, packed, UnpackOptions.DEFAULT))
                .isInstanceOf(Fault.class)
                .hasMessageContaining(message);
    }

    @Test
    void countsHolesAgainstTheLimitOfBytes() {
        byte[] packed = records("0,5", "1", Long.toString(9L << 30)).end().gzip();

        assertThatThrownBy(() -> Unpacked.into(folder, packed, UnpackOptions.DEFAULT))
                .hasMessageContaining("brings the archive above")
                .hasFieldOrPropertyWithValue("code", FaultCode.ARCHIVE_LIMIT);
    }

    @Test
    void countsHolesAgainstTheLimitOfCompressionBeforeTheyAreWritten() {
        byte[] packed = records("0,5", "1", Long.toString(7L << 30)).end().gzip();

        assertThatThrownBy(() -> Unpacked.into(folder, packed, UnpackOptions.DEFAULT))
                .hasMessageContaining("times its compressed size")
                .hasFieldOrPropertyWithValue("code", FaultCode.ARCHIVE_LIMIT);
        assertThat(folder.resolve("f")).doesNotExist();
    }

    @Test
    void dropsTheOldFormButReadsItsMap() {
        assertThat(Unpacked.into(folder, old("00000000000", "00000000002").gzip(), UnpackOptions.DEFAULT)
                        .tree())
                .isEqualTo(Map.of("z", "2"));
        byte[] wrong = old("00000000011", "00000000022").gzip();
        assertThatThrownBy(() -> Unpacked.into(folder, wrong, UnpackOptions.DEFAULT))
                .hasMessageContaining("archive/tar: invalid tar header");
    }

    /// @param offset and length of the one part of a file of ten bytes, in octal
    private static FakeArchive old(String offset, String length) {
        byte[] block = new byte[512];
        FakeArchive.put(block, 0, "sparse");
        FakeArchive.put(block, 124, "00000000002");
        FakeArchive.put(block, 257, "ustar  ");
        FakeArchive.put(block, 386, offset);
        FakeArchive.put(block, 398, length);
        FakeArchive.put(block, 483, "00000000012");
        block[156] = 'S';
        return archive()
                .block(block)
                .raw(new byte[] {'a', 'b'})
                .pad(2)
                .file("z", "2")
                .end();
    }

    /// What the system's own tar writes, in the forms that it can write.
    @ParameterizedTest
    @ValueSource(strings = {"0.0", "0.1", "1.0"})
    void readsWhatGnuTarWrites(String version) throws Exception {
        Path source = Files.createDirectory(folder.resolve("source"));
        byte[] noise = new byte[5000];
        Random random = new Random(1);
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (byte) ('a' + random.nextInt(26));
        }
        try (var file = new java.io.RandomAccessFile(source.resolve("holes").toFile(), "rw")) {
            for (int part : List.of(0, 300_000, 900_000)) {
                file.seek(part);
                file.write(noise);
            }
            file.setLength(1_000_000);
        }
        Process tar = new ProcessBuilder(
                        "tar",
                        "--format=pax",
                        "--sparse",
                        "--hole-detection=raw",
                        "--sparse-version=" + version,
                        "-C",
                        source.toString(),
                        "-czf",
                        "-",
                        "holes")
                .start();
        byte[] packed = tar.getInputStream().readAllBytes();
        assertThat(tar.waitFor())
                .as(new String(tar.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isZero();
        Path target = Files.createDirectory(folder.resolve("target"));

        Unpacked.into(target, packed, UnpackOptions.DEFAULT);

        assertThat(Files.mismatch(target.resolve("holes"), source.resolve("holes")))
                .isEqualTo(-1);
        assertThat(Arrays.mismatch(Files.readAllBytes(target.resolve("holes")), new byte[1_000_000]))
                .isZero();
    }
}

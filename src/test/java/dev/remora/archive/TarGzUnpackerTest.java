package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of `docs/spec/archive.md`, section 3, one row each: first where both ways agree, then Argo CD's, then
/// ours.
class TarGzUnpackerTest {
    @TempDir
    Path folder;

    record Row(String name, FakeArchive archive, Map<String, String> tree) {}

    static Stream<Named<Row>> sameBothWays() {
        return Stream.of(
                        row(
                                "the root's own entry is skipped",
                                archive().directory(".").directory("./"),
                                Map.of()),
                        row(
                                "an absolute name lands inside",
                                archive().file("/etc/x", "1"),
                                Map.of("etc", "dir", "etc/x", "1")),
                        row("a name is cleaned", archive().file("a/../b", "1"), Map.of("b", "1")),
                        row("two leading dots are a name", archive().file("..foo", "1"), Map.of("..foo", "1")),
                        row(
                                "parents are made",
                                archive().file("a/b/c", "1"),
                                Map.of("a", "dir", "a/b", "dir", "a/b/c", "1")),
                        row("a directory twice", archive().directory("a").directory("a/"), Map.of("a", "dir")),
                        row(
                                "the last of two files wins",
                                archive().file("a", "longer").file("a", "2"),
                                Map.of("a", "2")),
                        row(
                                "a link before its target",
                                archive().link("l", "x").file("x", "1"),
                                Map.of("l", "-> x", "x", "1")),
                        row("a dangling link", archive().link("l", "nowhere"), Map.of("l", "-> nowhere")),
                        row(
                                "an absolute link becomes relative",
                                archive().link("l", "/etc/passwd"),
                                Map.of("l", "-> etc/passwd")),
                        row(
                                "an absolute link in a directory is relative to it",
                                archive().directory("d").link("d/l", "/x"),
                                Map.of("d", "dir", "d/l", "-> x")),
                        row("a link to itself", archive().link("l", "l"), Map.of("l", "-> l")),
                        row(
                                "a link to a link not there yet",
                                archive().link("b", "zz").link("c", "b"),
                                Map.of("b", "-> zz", "c", "-> b")),
                        row("nothing", archive().end(), Map.of()),
                        row("no bytes at all", archive(), Map.of()),
                        row("one block of zeros", archive().file("a", "1").raw(new byte[512]), Map.of("a", "1")),
                        row(
                                "entries behind the end",
                                archive().file("a", "1").end().file("b", "2"),
                                Map.of("a", "1")),
                        row(
                                "garbage behind the end",
                                archive().file("a", "1").end().raw(new byte[] {1, 2, 3}),
                                Map.of("a", "1")),
                        row("a file of type 0 with a slash", archive().content("a/", '0', "1"), Map.of("a", "1")),
                        row("a directory of type NUL", archive().content("a/", '\0', ""), Map.of("a", "dir")),
                        row("a file of type NUL", archive().content("a", '\0', "1"), Map.of("a", "1")),
                        row(
                                "other types are dropped with their content",
                                archive()
                                        .file("a", "1")
                                        .entry("h", '1', "a")
                                        .entry("c", '3', "")
                                        .entry("b", '4', "")
                                        .entry("p", '6', "")
                                        .content("k", '7', "contiguous")
                                        .content("u", 'Z', "unknown")
                                        .file("z", "2"),
                                Map.of("a", "1", "z", "2")),
                        row(
                                "a PAX name and link text",
                                archive()
                                        .pax("path", "p/q")
                                        .file("x", "1")
                                        .pax("linkpath", "q")
                                        .link("p/l", "y"),
                                Map.of("p", "dir", "p/q", "1", "p/l", "-> q")),
                        row(
                                "an empty PAX value keeps the plain name",
                                archive().pax("path", "").file("x", "1"),
                                Map.of("x", "1")),
                        row(
                                "a PAX header serves one entry",
                                archive().pax("path", "p").file("x", "1").file("y", "2"),
                                Map.of("p", "1", "y", "2")),
                        row(
                                "a PAX size",
                                archive()
                                        .pax("size", "3")
                                        .header(new byte[] {'x'}, '0', 0644, 0, "")
                                        .raw(new byte[] {'a', 'b', 'c'})
                                        .pad(3),
                                Map.of("x", "abc")),
                        row(
                                "a GNU long name before a PAX path",
                                archive()
                                        .content("n", 'L', "long\0")
                                        .pax("path", "p")
                                        .file("x", "1"),
                                Map.of("long", "1")),
                        row(
                                "a GNU long link text",
                                archive().content("n", 'K', "target\0").link("l", "x"),
                                Map.of("l", "-> target")),
                        row(
                                "a global PAX header changes nothing",
                                archive()
                                        .content(
                                                "g",
                                                'g',
                                                new String(
                                                        FakeArchive.record("path", "p"),
                                                        java.nio.charset.StandardCharsets.UTF_8))
                                        .file("x", "1"),
                                Map.of("x", "1")))
                .map(row -> Named.of(row.name(), row));
    }

    private static Row row(String name, FakeArchive archive, Map<String, String> tree) {
        return new Row(name, archive, tree);
    }

    private static FakeArchive archive() {
        return new FakeArchive();
    }

    @ParameterizedTest
    @MethodSource("sameBothWays")
    void unpacksAsArgoCdDoes(Row row) {
        Unpacked unpacked = Unpacked.into(folder, row.archive().gzip(), UnpackOptions.ARGOCD);

        assertThat(unpacked.tree()).isEqualTo(row.tree());
    }

    @ParameterizedTest
    @MethodSource("sameBothWays")
    void unpacksTheSameByDefault(Row row) {
        Unpacked unpacked = Unpacked.into(folder, row.archive().gzip(), UnpackOptions.DEFAULT);

        assertThat(unpacked.tree()).isEqualTo(row.tree());
    }

    @ParameterizedTest
    @MethodSource("sameBothWays")
    void unpacksByteByByte(Row row) {
        Unpacked unpacked = Unpacked.into(folder, row.archive().gzip(), UnpackOptions.DEFAULT, 1);

        assertThat(unpacked.tree()).isEqualTo(row.tree());
    }

    static Stream<Named<Row>> argoCdOnly() {
        return Stream.of(
                        row(
                                "chains are flattened",
                                archive().file("a", "1").link("b", "a").link("c", "b"),
                                Map.of("a", "1", "b", "-> a", "c", "-> a")),
                        row(
                                "texts are cleaned",
                                archive().directory("d").file("a", "1").link("d/l", "./../d/.././a"),
                                Map.of("d", "dir", "a", "1", "d/l", "-> ../a")),
                        row(
                                "a file passes through a directory link",
                                archive().directory("d").link("l", "d").file("l/f", "1"),
                                Map.of("d", "dir", "l", "-> d", "d/f", "1")),
                        row(
                                "a directory passes through a directory link",
                                archive()
                                        .directory("d")
                                        .link("l", "d")
                                        .directory("l/e")
                                        .file("l/e/f", "1"),
                                Map.of("d", "dir", "l", "-> d", "d/e", "dir", "d/e/f", "1")),
                        row(
                                "a file is written through a link",
                                archive().file("a", "1").link("l", "a").file("l", "2"),
                                Map.of("a", "2", "l", "-> a")),
                        row(
                                "a file is made through a dangling link",
                                archive().link("l", "a").file("l", "2"),
                                Map.of("a", "2", "l", "-> a")),
                        row(
                                "a directory where a link to one is",
                                archive().directory("d").link("l", "d").directory("l"),
                                Map.of("d", "dir", "l", "-> d")))
                .map(row -> Named.of(row.name(), row));
    }

    @ParameterizedTest
    @MethodSource("argoCdOnly")
    void rewritesLinksAndPassesThroughThemOnRequest(Row row) {
        Unpacked unpacked = Unpacked.into(folder, row.archive().gzip(), UnpackOptions.ARGOCD);

        assertThat(unpacked.tree()).isEqualTo(row.tree());
    }

    static Stream<Named<Row>> oursOnly() {
        return Stream.of(
                        row(
                                "the text is kept",
                                archive().directory("d").file("a", "1").link("d/l", "./..//a"),
                                Map.of("d", "dir", "a", "1", "d/l", "-> ./..//a")),
                        row(
                                "chains are kept",
                                archive().file("a", "1").link("b", "a").link("c", "b"),
                                Map.of("a", "1", "b", "-> a", "c", "-> b")),
                        row(
                                "a link to the root",
                                archive().directory("d").link("d/up", "..").link("here", "."),
                                Map.of("d", "dir", "d/up", "-> ..", "here", "-> .")),
                        row(
                                "a text that goes down and up is cleaned",
                                archive().link("l", "a/../b"),
                                Map.of("l", "-> b")),
                        row(
                                "a link through a loop",
                                archive().link("l", "l").link("m", "l/x"),
                                Map.of("l", "-> l", "m", "-> l/x")),
                        row(
                                "a link through a file",
                                archive().file("f", "1").link("m", "f/x"),
                                Map.of("f", "1", "m", "-> f/x")))
                .map(row -> Named.of(row.name(), row));
    }

    @ParameterizedTest
    @MethodSource("oursOnly")
    void keepsLinkTextByDefault(Row row) {
        Unpacked unpacked = Unpacked.into(folder, row.archive().gzip(), UnpackOptions.DEFAULT);

        assertThat(unpacked.tree()).isEqualTo(row.tree());
    }

    @SuppressWarnings("ArrayRecordComponent") // a row of a table, never compared
    record Refusal(String name, byte[] archive, UnpackOptions options, String message) {}

    static Stream<Named<Refusal>> refusals() {
        byte[] good = archive().file("a", "1").end().gzip();
        return Stream.of(
                        both(
                                "a name above the root",
                                archive().file("../x", "1").gzip(),
                                "illegal filepath in archive: "),
                        both(
                                "a name that is the root",
                                archive().file("a/..", "1").gzip(),
                                "illegal filepath in archive: "),
                        both("an empty name", archive().file("", "1").gzip(), "illegal filepath in archive: "),
                        both(
                                "a dropped type above the root",
                                archive().entry("../x", '1', "a").gzip(),
                                "illegal filepath in archive: "),
                        both(
                                "a link above the root",
                                archive().link("l", "../x").gzip(),
                                "illegal filepath in symlink: "),
                        both(
                                "a link out and in again",
                                archive().directory("d").link("d/l", "../../d").gzip(),
                                "illegal filepath in symlink: "),
                        both("an empty link text", archive().link("l", "").gzip(), "illegal filepath in symlink: "),
                        argo("a link to the root", archive().link("l", ".").gzip(), "illegal filepath in symlink: "),
                        argo(
                                "a link up to the root",
                                archive().directory("d").link("d/l", "..").gzip(),
                                "illegal filepath in symlink: "),
                        argo(
                                "a link through a loop",
                                archive().link("l", "l").link("m", "l/x").gzip(),
                                "error checking symlink realpath: EvalSymlinks: too many links"),
                        argo(
                                "a link through a file",
                                archive().file("f", "1").link("m", "f/x").gzip(),
                                "error checking symlink realpath: not a directory"),
                        both(
                                "two links of one name",
                                archive().link("l", "a").link("l", "b").gzip(),
                                "error creating symlink"),
                        both(
                                "a link whose directory is missing",
                                archive().link("d/l", "x").gzip(),
                                "error creating symlink"),
                        both(
                                "a file where a directory is",
                                archive().directory("d").file("d", "1").gzip(),
                                "error creating file"),
                        both(
                                "a directory where a file is",
                                archive().file("f", "1").directory("f").gzip(),
                                "error creating nested folders"),
                        both(
                                "a file below a file",
                                archive().file("f", "1").file("f/g", "1").gzip(),
                                "error creating nested folders"),
                        ours(
                                "a file below a link",
                                archive()
                                        .directory("d")
                                        .link("l", "d")
                                        .file("l/f", "1")
                                        .gzip(),
                                "lies below the link l"),
                        ours(
                                "a file through a link",
                                archive().link("l", "a").file("l", "1").gzip(),
                                "would be written through a link"),
                        ours(
                                "a directory where a link is",
                                archive()
                                        .directory("d")
                                        .link("l", "d")
                                        .directory("l")
                                        .gzip(),
                                "error creating nested folders"),
                        both("nothing received", new byte[0], "error reading file: EOF"),
                        both("half a gzip header", Arrays.copyOf(good, 5), "error reading file: unexpected EOF"),
                        both(
                                "no gzip",
                                "this is no gzip".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                                "error reading file: gzip: invalid header"),
                        both("a cut archive", Arrays.copyOf(good, 20), "unexpected EOF"),
                        both(
                                "a cut header",
                                FakeArchive.gzip(
                                        Arrays.copyOf(archive().file("a", "1").tar(), 300)),
                                "error while iterating on tar reader: unexpected EOF"),
                        both(
                                "cut content",
                                FakeArchive.gzip(Arrays.copyOf(
                                        archive().file("a", "12345").tar(), 514)),
                                "error writing tgz file: unexpected EOF"),
                        both(
                                "a header without a right checksum",
                                archive().raw(new byte[511]).raw(new byte[] {1}).gzip(),
                                "error while iterating on tar reader: archive/tar: invalid tar header"),
                        both(
                                "one block of zeros, then more",
                                archive().raw(new byte[512]).file("a", "1").gzip(),
                                "archive/tar: invalid tar header"),
                        both(
                                "a PAX path with NUL",
                                archive().pax("path", "a\0b").file("x", "1").gzip(),
                                "archive/tar: invalid tar header"),
                        both(
                                "a PAX size that is no number",
                                archive().pax("size", "1x").file("x", "1").gzip(),
                                "archive/tar: invalid tar header"),
                        both(
                                "a negative PAX size",
                                archive().pax("size", "-1").file("x", "1").gzip(),
                                "archive/tar: invalid tar header"),
                        both(
                                "a PAX record above 1 MiB",
                                archive()
                                        .pax("path", "a".repeat(1 << 20))
                                        .file("x", "1")
                                        .gzip(),
                                "archive/tar: header field too long"),
                        both(
                                "a name too long for the kernel",
                                archive()
                                        .pax("path", "n".repeat(256))
                                        .file("x", "1")
                                        .gzip(),
                                "file name too long"),
                        both(
                                "a file of a sum that is wrong, without the end blocks",
                                wrongTrailer(archive().file("a", "1").gzip()),
                                "gzip: invalid checksum"),
                        both(
                                "strict, with a hard link",
                                archive().entry("h", '1', "a").gzip(),
                                "hard link",
                                new UnpackOptions(ArchiveLimits.DEFAULT, false, true, false, true, EntryFilter.ALL)))
                .flatMap(s -> s)
                .map(refusal -> Named.of(refusal.name(), refusal));
    }

    private static Stream<Refusal> both(String name, byte[] archive, String message) {
        return Stream.concat(argo(name + ", Argo CD's way", archive, message), ours(name, archive, message));
    }

    private static Stream<Refusal> both(String name, byte[] archive, String message, UnpackOptions options) {
        return Stream.of(new Refusal(name, archive, options, message));
    }

    private static Stream<Refusal> argo(String name, byte[] archive, String message) {
        return Stream.of(new Refusal(name, archive, UnpackOptions.ARGOCD, message));
    }

    private static Stream<Refusal> ours(String name, byte[] archive, String message) {
        return Stream.of(new Refusal(name, archive, UnpackOptions.DEFAULT, message));
    }

    private static byte[] wrongTrailer(byte[] gzip) {
        byte[] changed = gzip.clone();
        changed[changed.length - 8] ^= 1;
        return changed;
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refuses(Refusal refusal) {
        assertThatThrownBy(() -> Unpacked.into(folder, refusal.archive(), refusal.options()))
                .isInstanceOf(Fault.class)
                .hasMessageContaining(refusal.message())
                .extracting(fault -> ((Fault) fault).code())
                .isEqualTo(FaultCode.ARCHIVE_INVALID);
    }

    @Test
    void doesNotNoticeACutOrWrongTrailerBehindTheEnd() {
        byte[] whole = archive().file("a", "1").end().gzip();

        Unpacked unpacked =
                Unpacked.into(folder, Arrays.copyOf(wrongTrailer(whole), whole.length - 3), UnpackOptions.DEFAULT);

        assertThat(unpacked.tree()).containsExactly(Map.entry("a", "1"));
    }

    @Test
    void readsGzipMembersOneAfterAnother() {
        byte[] tar = archive().file("a", "first").file("b", "second").end().tar();
        byte[] one = FakeArchive.gzip(Arrays.copyOf(tar, 700));
        byte[] two = FakeArchive.gzip(Arrays.copyOfRange(tar, 700, tar.length));
        byte[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);

        Unpacked unpacked = Unpacked.into(folder, both, UnpackOptions.DEFAULT, 7);

        assertThat(unpacked.tree()).isEqualTo(Map.of("a", "first", "b", "second"));
    }

    @Test
    void reportsWhatItDropped() {
        byte[] archive = archive()
                .directory("d")
                .file("d/a", "1")
                .entry("h", '1', "d/a")
                .entry("p", '6', "")
                .link("l", "d")
                .gzip();

        ArchiveReport report =
                Unpacked.into(folder, archive, UnpackOptions.DEFAULT).report();

        assertThat(report.files()).isEqualTo(1);
        assertThat(report.directories()).isEqualTo(1);
        assertThat(report.links()).isEqualTo(1);
        assertThat(report.unpacked()).isEqualTo(1);
        assertThat(report.dropped()).isEqualTo(2);
        assertThat(report.firstDropped()).contains("h (hard link)");
        assertThat(report.compressed()).isEqualTo(archive.length);
    }

    @Test
    void readsSizesInBase256() {
        byte[] block = new byte[512];
        FakeArchive.put(block, 0, "big");
        FakeArchive.put(block, 257, "ustar");
        FakeArchive.put(block, 263, "00");
        block[124] = (byte) 0x80;
        block[135] = 3;
        block[156] = '0';

        Unpacked unpacked = Unpacked.into(
                folder,
                archive()
                        .block(block)
                        .raw(new byte[] {'a', 'b', 'c'})
                        .pad(3)
                        .file("z", "2")
                        .gzip(),
                UnpackOptions.DEFAULT);

        assertThat(unpacked.tree()).isEqualTo(Map.of("big", "abc", "z", "2"));
    }

    @Test
    void skipsTheExtendedMapOfAGnuSparseFile() {
        byte[] block = new byte[512];
        FakeArchive.put(block, 0, "sparse");
        FakeArchive.put(block, 124, "00000000003");
        FakeArchive.put(block, 257, "ustar  ");
        block[156] = 'S';
        block[482] = 1;

        FakeArchive archive = archive()
                .block(block)
                .raw(new byte[512])
                .raw(new byte[] {'a', 'b', 'c'})
                .pad(3)
                .file("z", "2");

        assertThat(Unpacked.into(folder, archive.gzip(), UnpackOptions.DEFAULT).tree())
                .isEqualTo(Map.of("z", "2"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 1000, 16384, 50000, 1 << 20})
    void hashesWhatArrivesInChunksOfAnySize(int chunk) throws Exception {
        byte[] archive = archive().file("a", "1".repeat(200_000)).end().gzip();
        byte[] padded = Arrays.copyOf(archive, archive.length + 70_000);
        try (TarGzUnpacker unpacker = new TarGzUnpacker(new FakeSink(), ArchiveLimits.DEFAULT)) {
            for (int at = 0; at < padded.length; at += chunk) {
                unpacker.accept(ByteBuffer.wrap(padded, at, Math.min(chunk, padded.length - at))
                        .asReadOnlyBuffer());
            }

            Received received = unpacker.received();

            byte[] sum = MessageDigest.getInstance("SHA-256").digest(padded);
            assertThat(received)
                    .isEqualTo(new Received(padded.length, HexFormat.of().formatHex(sum)));
            assertThat(unpacker.finish().unpacked()).isEqualTo(200_000);
        }
    }

    @Test
    void hashesTheWholeStreamAlsoWhenTheArchiveIsRefused() throws Exception {
        byte[] archive = archive().file("../x", "1".repeat(200_000)).gzip();
        try (TarGzUnpacker unpacker = new TarGzUnpacker(new FakeSink(), ArchiveLimits.DEFAULT)) {
            unpacker.accept(ByteBuffer.wrap(archive));

            byte[] sum = MessageDigest.getInstance("SHA-256").digest(archive);
            assertThat(unpacker.received().sha256()).isEqualTo(HexFormat.of().formatHex(sum));
            assertThat(unpacker.failed()).isTrue();
            assertThatThrownBy(unpacker::finish).hasMessage("illegal filepath in archive: ../x");
        }
    }

    @Test
    void namesTheDestinationInItsRefusal() {
        assertThatThrownBy(
                        () -> Unpacked.into(folder, archive().file("../x", "1").gzip(), UnpackOptions.DEFAULT))
                .hasMessage("illegal filepath in archive: " + folder.resolveSibling("x"));
    }

    @Test
    void cleansNamesAsGoDoes() {
        assertThat(EntryPath.of(Bytes.utf8("//a/./b//")).orElseThrow().path()).isEqualTo(Bytes.utf8("a/b"));
    }
}

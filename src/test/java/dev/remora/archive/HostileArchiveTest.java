package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever the archive: nothing is written outside the folder, and nothing in it leads outside.
class HostileArchiveTest {
    @TempDir
    Path above;

    private Path folder;

    enum Way {
        DEFAULT(UnpackOptions.DEFAULT),
        ARGOCD(UnpackOptions.ARGOCD),
        /// Link texts kept, and entries through links: the hardest for the check of link texts.
        THROUGH_KEPT_LINKS(new UnpackOptions(ArchiveLimits.DEFAULT, false, true, true, false, EntryFilter.ALL)),
        PRESERVED_MODES(UnpackOptions.DEFAULT.preservingFileMode(true));

        @SuppressWarnings("ImmutableEnumChecker") // a record of records and numbers
        final UnpackOptions options;

        Way(UnpackOptions options) {
            this.options = options;
        }
    }

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectories(above.resolve("a/b/c/folder"));
        Files.writeString(above.resolve("secret"), "secret");
        Files.writeString(folder.resolveSibling("x"), "outside");
    }

    private void unpack(byte[] archive, UnpackOptions options) {
        try {
            Unpacked _ = Unpacked.into(folder, archive, options);
        } catch (Fault expected) {
            assertThat(expected.getMessage()).isNotEmpty();
        }
    }

    private void nothingHappenedOutside() throws IOException {
        assertThat(Files.readString(above.resolve("secret"))).isEqualTo("secret");
        assertThat(Files.readString(folder.resolveSibling("x"))).isEqualTo("outside");
        try (Stream<Path> all = Files.walk(above)) {
            List<Path> outside = all.filter(path -> !path.startsWith(folder)).toList();
            assertThat(outside)
                    .containsExactlyInAnyOrder(
                            above,
                            above.resolve("secret"),
                            above.resolve("a"),
                            above.resolve("a/b"),
                            above.resolve("a/b/c"),
                            folder.resolveSibling("x"));
        }
    }

    /// Asks the kernel where each link leads, part by part.
    private void nothingLeadsOutside() throws IOException {
        Path root = folder.toRealPath();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path link : all.filter(Files::isSymbolicLink).toList()) {
                assertThat(Files.readSymbolicLink(link).isAbsolute()).isFalse();
                assertThat(whereItLeads(link, 0).startsWith(root))
                        .as("%s -> %s", link, Files.readSymbolicLink(link))
                        .isTrue();
            }
        }
    }

    private static Path whereItLeads(Path link, int links) throws IOException {
        Path at = Objects.requireNonNull(link.getParent()).toRealPath();
        for (Path part : Files.readSymbolicLink(link)) {
            Path next = Objects.requireNonNull(part.toString().equals("..") ? at.getParent() : at.resolve(part));
            at = Files.isSymbolicLink(next) && links < 40 ? whereItLeads(next, links + 1) : next;
        }
        return at.normalize();
    }

    @ParameterizedTest
    @EnumSource
    void isNotLedOutByALinkThatComesLater(Way way) throws IOException {
        FakeArchive archive = new FakeArchive()
                .directory("p")
                .directory("p/q")
                .link("l", "p/q/up/../..")
                .link("p/q/up", "../..")
                .file("l/x", "changed")
                .file("l/../x", "changed");

        unpack(archive.gzip(), way.options);

        nothingHappenedOutside();
        nothingLeadsOutside();
    }

    @ParameterizedTest
    @EnumSource
    void isNotLedOutByALinkThatLiesElsewhereThanItsName(Way way) throws IOException {
        FakeArchive archive = new FakeArchive()
                .directory("a")
                .directory("d/e/f")
                .link("d/e/f/s", "../../../a")
                .link("d/e/f/s/l", "../../../x")
                .file("a/l", "changed")
                .file("d/e/f/s/l", "changed");

        unpack(archive.gzip(), way.options);

        nothingHappenedOutside();
        nothingLeadsOutside();
    }

    @ParameterizedTest
    @EnumSource
    void isNotLedOutThroughALinkToTheRoot(Way way) throws IOException {
        FakeArchive archive = new FakeArchive()
                .directory("d")
                .link("d/up", "..")
                .link("d/out", "up/../x")
                .file("d/up/../x", "changed")
                .file("d/out", "changed")
                .link("d/further", "up/up/..");

        unpack(archive.gzip(), way.options);

        nothingHappenedOutside();
        nothingLeadsOutside();
    }

    @ParameterizedTest
    @EnumSource
    void survivesLoopsOfLinks(Way way) throws IOException {
        FakeArchive archive =
                new FakeArchive().link("a", "b").link("b", "a").file("a", "1").file("a/x", "1");

        unpack(archive.gzip(), way.options);

        nothingHappenedOutside();
    }

    @ParameterizedTest
    @EnumSource
    void makesNoHardLinksAndNoDevices(Way way) throws IOException {
        FakeArchive archive = new FakeArchive()
                .entry("h", '1', "/etc/passwd")
                .entry("h2", '1', "../../x")
                .entry("null", '3', "")
                .entry("disk", '4', "")
                .entry("pipe", '6', "")
                .file("end", "1");

        unpack(archive.gzip(), way.options);

        assertThat(Unpacked.tree(folder)).isEqualTo(Map.of("end", "1"));
        nothingHappenedOutside();
    }

    @Test
    void keepsNamesThatAreNoTextAsTheyAre() throws ErrnoException {
        byte[] name = {'n', '\n', (byte) 0xff, (byte) 0xc3, ' ', '*', '\t'};

        Bytes path = Bytes.utf8(folder.toString());
        unpack(new FakeArchive().file(name, "1").gzip(), UnpackOptions.DEFAULT);

        try (Directory directory = Directory.open(path)) {
            assertThat(directory.list())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.name()).isEqualTo(Bytes.of(name)));
        }
    }

    @Test
    void saysWhichEntryLiesBelowALink() {
        byte[] archive =
                new FakeArchive().directory("d").link("l", "d").file("l/f", "1").gzip();

        assertThatThrownBy(() -> Unpacked.into(folder, archive, UnpackOptions.DEFAULT))
                .hasMessage("illegal filepath in archive: " + folder + "/l/f lies below the link l");
    }

    static IntStream seeds() {
        return IntStream.range(0, 400);
    }

    /// Entries whose names and link texts are drawn from few parts, so that they meet. Each comes as an archive of
    /// its own into the same folder: so a refused one does not keep the next from being tried.
    @ParameterizedTest
    @MethodSource("seeds")
    void changesNothingOutsideForRandomEntries(int seed) throws IOException {
        Way way = Way.values()[seed % Way.values().length];
        Random random = new Random(seed);
        int before = Unpacked.tree(folder).size();

        for (int i = 0; i < 40; i++) {
            unpack(randomEntry(random).gzip(), way.options);
        }

        nothingHappenedOutside();
        nothingLeadsOutside();
        assertThat(Unpacked.tree(folder)).hasSizeGreaterThan(before);
    }

    private static FakeArchive randomEntry(Random random) {
        String name = path(random);
        return switch (random.nextInt(5)) {
            case 0 -> new FakeArchive().directory(name, random.nextInt(01000));
            case 1 -> new FakeArchive().file(name, random.nextInt(010000), "changed");
            case 2 ->
                new FakeArchive().pax("path", name, "linkpath", path(random)).link("x", "y");
            case 3 -> new FakeArchive().entry(name, '1', path(random));
            default -> new FakeArchive().link(name, path(random));
        };
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder(random.nextInt(12) == 0 ? "/" : "");
        String[] parts = {"a", "b", "a", "b", "c", "..", ".", "", "a", "x"};
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            path.append(i == 0 ? "" : "/").append(parts[random.nextInt(parts.length)]);
        }
        return path.toString();
    }
}

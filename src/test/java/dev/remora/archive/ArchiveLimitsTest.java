package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveLimitsTest {
    private static final long MANY = 1L << 40;

    @TempDir
    Path folder;

    private Fault refusal(FakeArchive archive, ArchiveLimits limits) {
        Fault[] fault = new Fault[1];
        assertThatThrownBy(() -> Unpacked.into(folder, archive.gzip(), UnpackOptions.DEFAULT.within(limits)))
                .isInstanceOfSatisfying(Fault.class, found -> fault[0] = found);
        assertThat(fault[0].code()).isEqualTo(FaultCode.ARCHIVE_LIMIT);
        return fault[0];
    }

    @Test
    void refusesAnAnnouncedSizeBeforeItIsWritten() {
        FakeArchive archive = new FakeArchive().file("small", "1").header(new byte[] {'b'}, '0', 0644, 5000, "");

        Fault fault = refusal(archive, new ArchiveLimits(4000, 0, 0, 0, 0));

        assertThat(fault).hasMessageContaining("archive entry \"b\"").hasMessageContaining("4000 bytes unpacked");
        assertThat(fault).hasMessageContaining("remora.limits.unpacked");
        assertThat(Unpacked.tree(folder)).isEqualTo(Map.of("small", "1"));
    }

    @Test
    void countsDroppedContentAndHeadersToo() {
        FakeArchive archive = new FakeArchive();
        for (int i = 0; i < 100; i++) {
            archive.content("dropped" + i, '7', "x".repeat(3000));
        }

        assertThat(refusal(archive, new ArchiveLimits(200_000, 0, 0, 0, 0))).hasMessageContaining("limits.unpacked");
    }

    @Test
    void refusesTooManyEntries() {
        FakeArchive archive = new FakeArchive();
        for (int i = 0; i < 11; i++) {
            archive.entry("dropped" + i, '1', "x");
        }

        assertThat(refusal(archive, new ArchiveLimits(0, 10, 0, 0, 0)))
                .hasMessageContaining("\"dropped10\" is one of more than 10 entries (remora.limits.files)");
    }

    @Test
    void countsDirectoriesThatEntriesImply() {
        FakeArchive archive = new FakeArchive().file("a/b/c/d/e/f/g/h/i/j/k", "1");

        assertThat(refusal(archive, new ArchiveLimits(0, 10, 0, 0, 0))).hasMessageContaining("limits.files");
    }

    @Test
    void refusesALongName() {
        FakeArchive archive =
                new FakeArchive().pax("path", "d/".repeat(50) + "f").file("x", "1");

        assertThat(refusal(archive, new ArchiveLimits(0, 0, 100, 0, 0))).hasMessageContaining("limits.nameLength");
    }

    @Test
    void refusesALongLinkText() {
        FakeArchive archive =
                new FakeArchive().pax("linkpath", "d/".repeat(50) + "f").link("x", "y");

        assertThat(refusal(archive, new ArchiveLimits(0, 0, 100, 0, 0))).hasMessageContaining("limits.nameLength");
    }

    @Test
    void refusesADeepEntryAndTakesOneAtTheLimit() {
        String deepest = "d/".repeat(127) + "f";

        assertThat(Unpacked.into(
                                folder,
                                new FakeArchive()
                                        .pax("path", deepest)
                                        .file("x", "1")
                                        .gzip(),
                                UnpackOptions.DEFAULT)
                        .tree())
                .containsEntry(deepest, "1");
        assertThat(refusal(new FakeArchive().pax("path", "d/" + deepest).file("x", "1"), ArchiveLimits.DEFAULT))
                .hasMessageContaining("128 directories deep (remora.limits.depth)");
    }

    @Test
    void unpacksThreeHundredDirectoriesDeepWithoutLimits() {
        String deep = "d/".repeat(300) + "f";

        Unpacked unpacked = Unpacked.into(
                folder, new FakeArchive().pax("path", deep).file("x", "1").gzip(), UnpackOptions.ARGOCD);

        assertThat(unpacked.tree()).containsEntry(deep, "1").hasSize(301);
    }

    @Test
    void refusesAPathThatNoCommandCouldUseAlsoWithoutLimits() {
        String deep = "d/".repeat(3000) + "f";

        assertThatThrownBy(() -> Unpacked.into(
                        folder,
                        new FakeArchive().pax("path", deep).file("x", "1").gzip(),
                        UnpackOptions.ARGOCD))
                .hasMessageContaining("file name too long");
    }

    @Test
    void refusesABomb() {
        byte[] archive = new FakeArchive()
                .header(new byte[] {'b'}, '0', 0644, MANY, "")
                .raw(new byte[100 << 20])
                .gzip();
        UnpackOptions options = UnpackOptions.DEFAULT.within(new ArchiveLimits(0, 0, 0, 0, 1000));

        assertThatThrownBy(() -> Unpacked.into(folder, archive, options))
                .isInstanceOf(Fault.class)
                .hasMessageContaining(
                        "\"b\" unpacks to more than 1000 times its compressed size (remora.limits.ratio)");
    }

    @Test
    void takesAFileOfZerosThatIsNoBomb() {
        byte[] archive = new FakeArchive()
                .header(new byte[] {'z'}, '0', 0644, 20 << 20, "")
                .raw(new byte[20 << 20])
                .end()
                .gzip();

        assertThat(Unpacked.into(folder, archive, UnpackOptions.DEFAULT)
                        .report()
                        .unpacked())
                .isEqualTo(20 << 20);
    }
}

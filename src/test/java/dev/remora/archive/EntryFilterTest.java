package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryFilterTest {
    @TempDir
    Path folder;

    @Test
    void unpacksOnlyWhatIsWantedAndTheFoldersOnTheWay() {
        byte[] archive = new FakeArchive()
                .directory("apps")
                .directory("apps/one")
                .file("apps/one/a.yaml", "a")
                .directory("apps/two")
                .file("apps/two/b.yaml", "b")
                .directory("lib")
                .directory("lib/deep")
                .file("lib/deep/c.libsonnet", "c")
                .file("lib/deep/readme", "r")
                .file("top.yaml", "t")
                .end()
                .gzip();

        Unpacked unpacked = unpacked(archive, "apps/one", "{app}/**", "/lib/**/*.libsonnet");

        assertThat(unpacked.tree())
                .containsOnlyKeys("apps", "apps/one", "apps/one/a.yaml", "lib", "lib/deep", "lib/deep/c.libsonnet");
        assertThat(unpacked.report().files()).isEqualTo(5);
        assertThat(unpacked.report().skipped().count()).isEqualTo(4);
        assertThat(unpacked.report().skipped().contains(Bytes.utf8("apps/two/b.yaml")))
                .isTrue();
        assertThat(unpacked.report().skipped().contains(Bytes.utf8("lib"))).isFalse();
    }

    @Test
    void foldersOnTheWayKeepTheirModes() throws Exception {
        byte[] archive = new FakeArchive()
                .directory("lib", 0711)
                .directory("lib/other", 0700)
                .file("lib/other/x", "x")
                .directory("lib/deep", 0750)
                .file("lib/deep/c.cue", "c")
                .end()
                .gzip();

        UnpackOptions options = options("", "**/*.cue").preservingFileMode(true);
        Unpacked unpacked = Unpacked.into(folder, archive, options);

        assertThat(unpacked.tree()).containsOnlyKeys("lib", "lib/deep", "lib/deep/c.cue");
        assertThat(Unpacked.mode(folder.resolve("lib"))).isEqualTo("rwx--x--x");
        assertThat(Unpacked.mode(folder.resolve("lib/deep"))).isEqualTo("rwxr-x---");
    }

    @Test
    void theApplicationsFolderIsThereWithoutAPattern() {
        byte[] archive = new FakeArchive()
                .directory("apps")
                .directory("apps/one")
                .file("apps/one/a.yaml", "a")
                .file("lib.txt", "l")
                .end()
                .gzip();

        assertThat(unpacked(archive, "./apps/one/", "/lib.txt").tree()).containsOnlyKeys("apps", "apps/one", "lib.txt");
    }

    @Test
    void theRootAsApplicationIsEverything() {
        byte[] archive = new FakeArchive().file("a", "a").file("b/c", "c").end().gzip();

        assertThat(unpacked(archive, ".", "{app}/**").tree()).containsOnlyKeys("a", "b", "b/c");
    }

    @Test
    void aLinkToSomethingLeftOutStaysAndLeadsNowhere() {
        byte[] archive = new FakeArchive()
                .directory("app")
                .link("app/values", "../shared/values")
                .directory("shared")
                .file("shared/values", "v")
                .end()
                .gzip();

        assertThat(unpacked(archive, "app", "{app}/**").tree())
                .containsOnlyKeys("app", "app/values")
                .containsEntry("app/values", "-> ../shared/values");
    }

    @Test
    void aLinkOnTheWayIsMadeAndOneBesideItIsNot() {
        byte[] archive = new FakeArchive()
                .link("current", "releases/2")
                .link("previous", "releases/1")
                .directory("releases")
                .directory("releases/2")
                .file("releases/2/a", "a")
                .end()
                .gzip();

        assertThat(unpacked(archive, "current", "{app}/**", "/releases/2/**").tree())
                .containsOnlyKeys("current", "releases", "releases/2", "releases/2/a");
    }

    @Test
    void aLinksFolderIsMadeWhereOnlySomethingLeftOutImpliesIt() {
        byte[] archive = new FakeArchive()
                .file("lib/skipped", "s")
                .file("lib/target.cue", "t")
                .file("lib/x/skipped", "s")
                .link("lib/x/link.cue", "../target.cue")
                .end()
                .gzip();

        assertThat(unpacked(archive, "", "**/*.cue").tree())
                .containsOnlyKeys("lib", "lib/target.cue", "lib/x", "lib/x/link.cue");
    }

    @Test
    void whatIsLeftOutIsCheckedAllTheSame() {
        byte[] archive = new FakeArchive()
                .link("evil", "../../etc/passwd")
                .file("app/a", "a")
                .end()
                .gzip();

        assertThatThrownBy(() -> unpacked(archive, "app", "{app}/**"))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("illegal filepath in symlink");
    }

    @Test
    void theSameFilesComeFromFoldersInAnyOrder() throws Exception {
        byte[] archive = new FakeArchive()
                .directory("a")
                .directory("b")
                .file("b/x.cue", "b")
                .file("a/x.cue", "a")
                .end()
                .gzip();

        assertThat(unpacked(archive, "", "**/*.cue").tree()).containsOnlyKeys("a", "a/x.cue", "b", "b/x.cue");
        assertThat(Files.readString(folder.resolve("a/x.cue"))).isEqualTo("a");
    }

    @Test
    void equalFiltersHaveEqualKeysAndOthersDoNot() {
        List<String> patterns = List.of("{app}/**", "/lib/**");

        assertThat(key(patterns, "apps/one")).isEqualTo(key(patterns, "./apps//one/"));
        assertThat(key(patterns, "apps/one")).isNotEqualTo(key(patterns, "apps/two"));
        assertThat(key(patterns, "apps/one")).isNotEqualTo(key(List.of("{app}/**"), "apps/one"));
    }

    private static Bytes key(List<String> patterns, String application) {
        return EntryFilter.of(patterns, Bytes.utf8(application)).key();
    }

    private static UnpackOptions options(String application, String... patterns) {
        return UnpackOptions.DEFAULT.seeing(EntryFilter.of(List.of(patterns), Bytes.utf8(application)));
    }

    private Unpacked unpacked(byte[] archive, String application, String... patterns) {
        return Unpacked.into(folder, archive, options(application, patterns));
    }
}

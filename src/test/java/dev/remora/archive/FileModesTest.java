package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.ChildJvm;
import dev.remora.testing.NeedsRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Modes with and without preserveFileMode, less the umask of the process, which only a child can choose.
class FileModesTest {
    private static final UnpackOptions PRESERVING = UnpackOptions.DEFAULT.preservingFileMode(true);

    @TempDir
    Path folder;

    private static byte[] archive() {
        return new FakeArchive()
                .directory("closed", 0500)
                .file("closed/script", 0755, "1")
                .directory("closed/none", 0)
                .file("closed/none/f", 0400, "1")
                .directory("open", 0777)
                .file("open/setuid", 06755, "1")
                .directory("sticky", 01777)
                .file("open/none", 0, "1")
                .gzip();
    }

    private String unpacked(String umask, boolean preserve, boolean unprivileged) throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        ChildJvm child = new ChildJvm();
        if (unprivileged) {
            child.unprivileged();
        }
        ChildJvm.Result result =
                child.after("umask " + umask).run(Unpacking.class, folder.toString(), Boolean.toString(preserve));
        assertThat(result.exit()).as(result.output()).isZero();
        return result.output();
    }

    private String modes() throws IOException {
        TreeSet<String> modes = new TreeSet<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.filter(path -> !path.equals(folder)).toList()) {
                int mode = (int) Files.getAttribute(path, "unix:mode") & 07777;
                modes.add(folder.relativize(path) + " " + Integer.toOctalString(mode));
            }
        }
        return String.join("\n", modes);
    }

    static final class Unpacking {
        private Unpacking() {}

        public static void main(String[] args) {
            UnpackOptions options = UnpackOptions.DEFAULT.preservingFileMode(Boolean.parseBoolean(args[1]));
            System.out.println(
                    Unpacked.reportOf(Path.of(args[0]), archive(), options).files());
        }
    }

    @Test
    void givesEveryFileTheSameModeUnlessToldToPreserve() throws Exception {
        unpacked("022", false, false);

        assertThat(modes()).isEqualTo("""
                closed 755
                closed/none 755
                closed/none/f 644
                closed/script 644
                open 755
                open/none 644
                open/setuid 644
                sticky 755""");
    }

    @Test
    void preservesPermissionsButNoSpecialBits() throws Exception {
        unpacked("0", true, false);

        assertThat(modes()).isEqualTo("""
                closed 500
                closed/none 0
                closed/none/f 400
                closed/script 755
                open 777
                open/none 0
                open/setuid 755
                sticky 777""");
    }

    @Test
    void takesTheUmaskOff() throws Exception {
        unpacked("027", true, false);

        assertThat(modes()).isEqualTo("""
                closed 500
                closed/none 0
                closed/none/f 400
                closed/script 750
                open 750
                open/none 0
                open/setuid 750
                sticky 750""");
    }

    @Test
    void takesTheUmaskOffTheUsualModes() throws Exception {
        unpacked("077", false, false);

        assertThat(modes()).startsWith("closed 700\n").contains("open/none 600").contains("closed/none 700");
    }

    @Test
    @NeedsRoot
    void fillsDirectoriesThatLockOutAnOrdinaryUser() throws Exception {
        String files = unpacked("022", true, true);

        assertThat(files).isEqualTo("4\n");
        assertThat(modes())
                .contains("closed 500", "closed/none 0", "closed/none/f 400", "closed/script 755", "open 755");
    }

    @Test
    void keepsTheModeOfADirectoryThatWasThere() throws IOException {
        byte[] archive = new FakeArchive()
                .file("implied/f", "1")
                .directory("implied", 0700)
                .directory("twice", 0711)
                .directory("twice", 0700)
                .gzip();

        Unpacked _ = Unpacked.into(folder, archive, PRESERVING);

        assertThat(modes()).contains("implied 755", "twice 711");
    }

    @Test
    void givesImpliedParentsTheModeOfTheDirectoryAsArgoCdDoes() throws IOException {
        byte[] archive = new FakeArchive()
                .directory("a/b/c", 0500)
                .file("a/b/c/f", "1")
                .file("a/g", "1")
                .gzip();

        Unpacked _ = Unpacked.into(folder, archive, PRESERVING);

        assertThat(modes()).contains("a 500", "a/b 500", "a/b/c 500", "a/b/c/f 644");
    }
}
